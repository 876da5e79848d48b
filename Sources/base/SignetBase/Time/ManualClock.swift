// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A clock for tests: it stands still until the test advances it. A task that sleeps by it wakes
/// when it has advanced far enough from the moment at which it began to sleep: what was advanced
/// before does not count. If a test does not know whether a task sleeps yet, it advances the clock
/// until the task has woken.
///
/// Pass its ``source`` as a ``TimeSource``.
public final class ManualClock: Sendable {
    private struct State {
        var now: NumericDate
        var elapsed: Duration = .seconds(1_000)
        var lastID = 0
        var sleepers: [Int: (until: Duration, continuation: CheckedContinuation<Void, Never>)] = [:]
    }

    /// The longest single advance, in seconds: 300 years.
    private static let limit = Duration.seconds(10_000_000_000)

    private let state: Locked<State>

    /// Makes a clock at a time of day, by default in the year 2026.
    public init(secondsSince1970: Double = 1_780_000_000) {
        state = Locked(State(now: NumericDate(secondsSince1970: secondsSince1970)))
    }

    /// The time source of this clock.
    public var source: TimeSource {
        TimeSource(
            now: { self.now }, elapsed: { self.state.withLock { $0.elapsed } },
            sleep: { await self.sleep($0) })
    }

    /// The time of day. Setting it lets no time elapse, as when a person sets a clock.
    public var now: NumericDate {
        get { state.withLock { $0.now } }
        set { state.withLock { $0.now = newValue } }
    }

    /// Lets time elapse, at most 10^10 s. A negative duration takes elapsed time back, which no
    /// system clock does.
    public func advance(by duration: Duration) {
        let step = min(max(duration, .zero - Self.limit), Self.limit)
        let woken = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.elapsed += step
            state.now = NumericDate(
                secondsSince1970: state.now.secondsSince1970 + step / .seconds(1))
            let due = state.sleepers.filter { $0.value.until <= state.elapsed }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.map(\.continuation)
        }
        for continuation in woken { continuation.resume() }
    }

    /// The number of sleeping tasks.
    package var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    private func sleep(_ duration: Duration) async {
        let id = state.withLock { state -> Int in
            state.lastID += 1
            return state.lastID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state -> Bool in
                    if Task.isCancelled || duration <= .zero { return true }
                    state.sleepers[id] = (state.elapsed + duration, continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: id)?.continuation }?.resume()
        }
    }
}
