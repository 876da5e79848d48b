// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase
internal import SignetCurl
internal import SignetIdentity
internal import SignetJOSE

/// Keys that an issuer publishes, fetched once with the limits of a server: 512 KiB, 100 keys, https
/// or http on this machine, and redirects on the same host only.
struct FetchedKeys {
    let snapshot: KeySnapshot
    /// How the last request went.
    let event: KeySetEvent?

    /// Fetches and waits, so only the main thread may call it.
    ///
    /// - Parameter algorithms: those whose keys are taken; empty for all.
    init(
        issuer: String, location: RemoteKeySet.Location, algorithms: [SignatureAlgorithm]
    ) throws {
        let last = Locked<KeySetEvent?>(nil)
        var options = KeySetOptions()
        options.algorithms = algorithms.isEmpty ? SignatureAlgorithm.allCases : algorithms
        options.onEvent = { event in last.withLock { $0 = event } }
        options.clock = CommandClock.current
        let keys = try RemoteKeySet(
            issuer: issuer, location: location, transport: .curl, options: options)
        snapshot = try waiting { try await keys.refresh() }
        event = last.withLock { $0 }
        Output.leftOut(snapshot.keys.skipped)
    }
}
