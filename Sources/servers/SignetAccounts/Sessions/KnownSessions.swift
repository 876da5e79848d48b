// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetIdentity

/// The sessions that were found alive or ended lately, a limited number of each.
struct KnownSessions {
    /// A session and its user, by their bytes.
    struct Name: Hashable {
        private let octets: [UInt8]

        init(_ session: VerifiedSession) {
            // Between them a zero byte, which no name of ours has.
            octets = Array(session.sessionID.utf8) + [0] + Array(session.subject.utf8)
        }
    }

    private var alive: Recent<Duration>
    private var ended: Recent<Void>

    init(capacity: Int) {
        alive = Recent(capacity: capacity)
        ended = Recent(capacity: capacity)
    }

    func isEnded(_ name: Name) -> Bool { ended[name] != nil }

    func wasAlive(_ name: Name, since: Duration) -> Bool {
        guard !isEnded(name), let at = alive[name] else { return false }
        return at >= since
    }

    /// A session that was found ended stays ended: a database's answer that was on its way is late.
    mutating func noteAlive(_ name: Name, at time: Duration) {
        guard !isEnded(name) else { return }
        alive.set(name, to: max(time, alive[name] ?? time))
    }

    mutating func noteEnded(_ name: Name) {
        alive.remove(name)
        ended.set(name, to: ())
    }

    /// The values that were set last, at most `capacity` of them and at least half as many: when
    /// the younger half is full, the older half is forgotten.
    private struct Recent<Value> {
        private let half: Int
        private var young: [Name: Value] = [:]
        private var old: [Name: Value] = [:]

        init(capacity: Int) { half = max(1, capacity / 2) }

        subscript(name: Name) -> Value? { young[name] ?? old[name] }

        mutating func set(_ name: Name, to value: Value) {
            if young.count >= half, young[name] == nil {
                old = young
                young = [:]
            }
            young[name] = value
        }

        mutating func remove(_ name: Name) {
            young[name] = nil
            old[name] = nil
        }
    }
}
