// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase
internal import SignetJOSE

/// Remembers logout tokens in the memory of this process: for one instance of a server, and tests.
/// A logout token tells that a person has signed out at the provider. A copy of it that comes
/// again, a *replay*, must not end later sessions.
///
/// A token's *name* is a hash of its issuer and identifier. The first call with a name *claims* it
/// and runs the work, which ends sessions. A later call with the name gets false:
/// `try await store.claim(name, forSeconds: 120) { try await endSessions() }`.
public final class MemoryLogoutReplayStore: LogoutReplayStore {
    /// The end of an attempt to claim a name.
    private enum Attempt {
        /// This call runs the work.
        case claimed
        /// The work of the name is done.
        case taken
        /// No place is left: the work runs, and its name is not kept.
        case full
    }

    private struct Names {
        /// The claimed names, and until when they are kept.
        var deadlines: [String: Duration] = [:]
        /// The names whose work has not returned yet.
        var working: Set<String> = []
    }

    /// How long a waiting copy sleeps before it looks again.
    private static let pause = Duration.milliseconds(100)

    private let maximumCount: Int
    private let clock: TimeSource
    private let names = Locked(Names())

    /// - Parameters:
    ///   - maximumCount: 1 to 1,000,000. When it is reached, sessions still end, but every logout
    ///     fails with ``Full`` until a name expires. Only tokens that the provider signed take a
    ///     place.
    ///   - clock: the source of the time, and of the sleep of a copy that waits.
    public init(maximumCount: Int = 100_000, clock: TimeSource = .system) {
        self.maximumCount = min(max(maximumCount, 1), 1_000_000)
        self.clock = clock
    }

    /// Claims a name and runs `work`. When full, removes expired names first.
    ///
    /// - Throws: the errors of `work`; ``Full``, after `work` has run; ``Busy`` if another copy's
    ///   work has not ended within 75 s.
    public func claim(
        _ name: String, forSeconds seconds: Int, running work: () async throws -> Void
    ) async throws -> Bool {
        let wait = LogoutWait(clock: clock, pause: Self.pause)
        // Nil if the work of an earlier copy has not ended within `LogoutWait.longest`, 75 s.
        guard let attempt = try await wait.result({ self.attempt(name, forSeconds: seconds) })
        else {
            throw Busy()
        }
        guard attempt != .taken else { return false }
        do { try await work() } catch {
            if attempt == .claimed { endWork(of: name, isDone: false) }
            throw error
        }
        // Sessions must end although the token may come again.
        guard attempt == .claimed else { throw Full() }
        endWork(of: name, isDone: true)
        return true
    }

    /// Claims a name, if it can be claimed now; nil while another copy's work goes on.
    private func attempt(_ name: String, forSeconds seconds: Int) -> Attempt? {
        let now = clock.elapsed()
        return names.withLock { claimed in
            guard !claimed.working.contains(name) else { return nil }
            if let deadline = claimed.deadlines[name], deadline > now { return .taken }
            if claimed.deadlines.count >= maximumCount {
                let working = claimed.working
                claimed.deadlines = claimed.deadlines.filter {
                    $0.value > now || working.contains($0.key)
                }
            }
            guard claimed.deadlines.count < maximumCount else { return .full }
            claimed.deadlines[name] = now + .seconds(seconds)
            claimed.working.insert(name)
            return .claimed
        }
    }

    /// Keeps the name if its work is done; frees it otherwise.
    private func endWork(of name: String, isDone: Bool) {
        // Keeps the name for a second at least, so that waiting callers see that the work is done,
        // and do not claim the name.
        let least = clock.elapsed() + .seconds(1)
        names.withLock { claimed in
            claimed.working.remove(name)
            let deadline = claimed.deadlines[name] ?? least
            claimed.deadlines[name] = isDone ? max(deadline, least) : nil
        }
    }

    /// Every place is taken.
    public struct Full: Error, CustomStringConvertible {
        /// The error and its remedy.
        public var description: String {
            "The memory of logout tokens is full: raise its maximumCount, or use a table."
        }
    }

    /// Another copy of the token came before, and its work has not ended in time.
    public struct Busy: Error, CustomStringConvertible {
        /// The error and its remedy.
        public var description: String { LogoutWait.sentence.description }
    }
}
