// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE
internal import SignetPlatform

/// Remembers logout tokens in the memory of this process: for one instance of a server, and tests.
public final class MemoryLogoutReplayStore: LogoutReplayStore {
    private let maximumCount: Int
    private let clock: TimeSource
    private let deadlines = Locked([String: Duration]())

    /// - Parameters:
    ///   - maximumCount: 1 to 1,000,000. When it is reached, no logout is accepted until a name
    ///     expires. Only the provider's own tokens take a place.
    ///   - clock: the source of the time.
    public init(maximumCount: Int = 100_000, clock: TimeSource = .system) {
        self.maximumCount = min(max(maximumCount, 1), 1_000_000)
        self.clock = clock
    }

    /// Whether a name is kept and has not expired.
    public func contains(_ name: String) async -> Bool {
        let now = clock.elapsed()
        return deadlines.withLock { $0[name].map { $0 > now } ?? false }
    }

    /// Stores a name. When full, removes expired names first.
    ///
    /// - Throws: ``Full``.
    public func keep(_ name: String, forSeconds seconds: Int) async throws(Full) {
        let now = clock.elapsed()
        let isKept = deadlines.withLock { deadlines in
            if deadlines.count >= maximumCount {
                deadlines = deadlines.filter { $0.value > now }
            }
            guard deadlines.count < maximumCount || deadlines[name] != nil else { return false }
            deadlines[name] = now + .seconds(seconds)
            return true
        }
        if !isKept { throw Full() }
    }

    /// Every place is taken.
    public struct Full: Error, CustomStringConvertible {
        /// The error and its remedy.
        public var description: String {
            "The memory of logout tokens is full: raise its maximumCount, or use a table."
        }
    }
}
