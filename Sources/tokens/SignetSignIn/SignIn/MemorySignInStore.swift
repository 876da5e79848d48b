// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase

/// Keeps pending sign-ins in the memory of this process: for one instance of a server, a program on
/// the loopback interface, and tests. The sign-ins end with the process.
public final class MemorySignInStore: SignInStore {
    private struct Entry {
        let record: [UInt8]
        let deadline: Duration
    }

    private struct State {
        var entries: [String: Entry] = [:]
        /// Names in order of arrival, from `first` on. Some have been taken since.
        var names: [String] = []
        var first = 0
    }

    private let maximumCount: Int
    private let clock: TimeSource
    private let state = Locked(State())

    /// - Parameters:
    ///   - maximumCount: 1 to 1,000,000; when it is reached, the oldest sign-ins make room. A
    ///     sign-in takes about 600 bytes. Anyone can begin sign-ins: limit them per address.
    ///   - clock: the clock for expiry.
    public init(maximumCount: Int = 100_000, clock: TimeSource = .system) {
        self.clock = clock
        self.maximumCount = min(max(maximumCount, 1), 1_000_000)
    }

    /// Keeps a record, and drops expired records.
    public func keep(_ record: [UInt8], named name: String, forSeconds seconds: Int) async {
        let now = clock.elapsed()
        state.withLock { state in
            while let oldest = state.names.dropFirst(state.first).first {
                let isOver = state.entries[oldest].map { $0.deadline <= now } ?? true
                // Names of sign-ins that were taken stay in the list, which has a bound of its own.
                let isFull =
                    state.entries.count >= maximumCount
                    || state.names.count - state.first >= 2 * maximumCount
                guard isOver || isFull else { break }
                state.entries[oldest] = nil
                state.first += 1
            }
            // Names that were passed are removed together, which moves the others seldom.
            if state.first > state.names.count / 2 {
                state.names.removeFirst(state.first)
                state.first = 0
            }
            state.names.append(name)
            state.entries[name] = Entry(record: record, deadline: now + .seconds(seconds))
        }
    }

    /// Takes a record; nil if it has expired or no record has this name.
    public func take(_ name: String) async -> [UInt8]? {
        let entry = state.withLock { $0.entries.removeValue(forKey: name) }
        return entry.flatMap { $0.deadline > clock.elapsed() ? $0.record : nil }
    }
}
