// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE
internal import SignetPlatform

/// Remembers logout tokens in the memory of this process: for one instance of a server, and tests.
public final class MemoryLogoutReplayStore: LogoutReplayStore {
    private enum Place {
        case claimed, taken, none
    }

    private let maximumCount: Int
    private let clock: TimeSource
    private let deadlines = Locked([String: Duration]())

    /// - Parameters:
    ///   - maximumCount: 1 to 1,000,000. When it is reached, sessions still end, but every logout
    ///     fails with ``Full`` until a name expires. Only the provider's own tokens take a place.
    ///   - clock: the source of the time.
    public init(maximumCount: Int = 100_000, clock: TimeSource = .system) {
        self.maximumCount = min(max(maximumCount, 1), 1_000_000)
        self.clock = clock
    }

    /// Claims a name and runs `work`. When full, removes expired names first.
    ///
    /// - Throws: the errors of `work`; ``Full``, after `work` has run.
    public func claim(
        _ name: String, forSeconds seconds: Int, running work: () async throws -> Void
    ) async throws -> Bool {
        let place = place(for: name, seconds)
        guard place != .taken else { return false }
        do { try await work() } catch {
            if place == .claimed { deadlines.withLock { $0[name] = nil } }
            throw error
        }
        // Sessions must end although the token may come again.
        guard place == .claimed else { throw Full() }
        return true
    }

    private func place(for name: String, _ seconds: Int) -> Place {
        let now = clock.elapsed()
        return deadlines.withLock { deadlines in
            if let deadline = deadlines[name], deadline > now { return .taken }
            if deadlines.count >= maximumCount {
                deadlines = deadlines.filter { $0.value > now }
            }
            guard deadlines.count < maximumCount else { return .none }
            deadlines[name] = now + .seconds(seconds)
            return .claimed
        }
    }

    /// Every place is taken.
    public struct Full: Error, CustomStringConvertible {
        /// The error and its remedy.
        public var description: String {
            "The memory of logout tokens is full: raise its maximumCount, or use a table."
        }
    }
}
