// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE
internal import Synchronization

/// The issuer's keys, only in memory: RS256, as with Google. After a rotation the earlier keys stay
/// published, so that their tokens verify.
final class IssuerKeys: Sendable {
    private struct State {
        var current: SigningKey
        var earlier: [VerificationKey] = []
    }

    private static let keptCount = 3

    private let state: Mutex<State>

    init() throws(KeyError) { state = Mutex(State(current: try SigningKey.generate(.rs256))) }

    var current: SigningKey { state.withLock { $0.current } }

    /// The published set, the current key first.
    func publicSet() throws(KeyError) -> String {
        let keys = state.withLock { [$0.current.verificationKey] + $0.earlier }
        return try KeySet(keys).jwksJSON()
    }

    /// Signs with a new key from now on.
    ///
    /// - Parameter forgetting: removes the earlier keys at once, as an issuer does after a theft.
    func rotate(forgetting: Bool = false) throws(KeyError) {
        let next = try SigningKey.generate(.rs256)
        state.withLock { state in
            state.earlier =
                forgetting
                ? []
                : Array(([state.current.verificationKey] + state.earlier).prefix(Self.keptCount))
            state.current = next
        }
    }
}
