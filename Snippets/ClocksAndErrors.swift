// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase

// A domain has no values. Its codes are texts that do not change.
enum TicketErrorDomain: ErrorDomain {}
typealias TicketError = CodedError<TicketErrorDomain>

extension TicketError.Code {
    static let soldOut = Self(rawValue: "soldOut")
    static let expired = Self(rawValue: "expired")
}

// Holds tickets for ten minutes, for any number of threads.
final class TicketReservations: Sendable {
    private let clock: TimeSource
    private let held: Locked<[String: Duration]>

    init(clock: TimeSource = .system) {
        self.clock = clock
        held = Locked([:])
    }

    func hold(_ name: String) throws(TicketError) {
        try held.withLock { (held) throws(TicketError) in
            guard held.count < 2 else {
                throw TicketError(.soldOut, "All \(held.count) tickets are held.")
            }
            held[name] = clock.elapsed()
        }
    }

    func buy(_ name: String) throws(TicketError) {
        let since = held.withLock { $0.removeValue(forKey: name) }
        guard let since, clock.elapsed() - since < .seconds(600) else {
            throw TicketError(.expired, "No ticket is held for \(shown: name). Hold one again.")
        }
    }
}

// In a test: no time passes until the clock is advanced.
let manual = ManualClock()
let reservations = TicketReservations(clock: manual.source)
try reservations.hold("ann")
manual.advance(by: .seconds(601))
do throws(TicketError) {
    try reservations.buy("ann")
} catch {
    print(error.code == .expired, error.message)
}

// A task that may not sleep yet: advance until it has woken.
let isAwake = Locked(false)
let sleeper = Task {
    await manual.source.sleep(for: .seconds(30))
    isAwake.withLock { $0 = true }
}
while !isAwake.withLock({ $0 }) {
    manual.advance(by: .seconds(30))
    await Task.yield()
}
await sleeper.value
