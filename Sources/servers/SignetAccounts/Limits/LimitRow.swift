// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A row in which uses are counted: a limit, and its subject.
struct LimitRow {
    /// The limit of all clients without an address together, as a multiple of one client's limit.
    static let factorWithoutAddress: Int64 = 100
    /// The limits of all clients in an IPv6 network of /56 or /48, as multiples of a /64's limit.
    private static let factorOf56Bits: Int64 = 4
    private static let factorOf48Bits: Int64 = 64

    let limit: RateLimit
    /// For a log: the name of the limit, and what it counts.
    let label: String
    private let name: StaticString
    /// A number for the kind, so that two kinds with the same bytes share no row, and the bytes.
    /// The keys of stored rows cover it, so it never changes.
    private let subject: [[UInt8]]

    private init(
        _ limit: RateLimit, name: StaticString, kind: StaticString, subject: [[UInt8]]
    ) {
        self.limit = limit
        self.name = name
        self.subject = subject
        label = "\(name)/\(kind)"
    }

    /// The rows in the order in which all transactions take them, so that no two transactions wait
    /// for each other.
    static func rows(
        _ limit: RateLimit, name: StaticString, for subject: RateLimits.Subject
    ) -> [LimitRow] {
        switch subject {
        case .destination(let destination):
            [LimitRow(limit, name: name, kind: "destination", subject: [[1], destination.limited])]
        case .address(let address): rows(limit, name: name, from: address, alone: false)
        case .account(let identifier):
            [LimitRow(limit, name: name, kind: "account", subject: [[3], Array(identifier.utf8)])]
        case .destinationFrom(let destination, let address):
            [
                LimitRow(
                    limit, name: name, kind: "destination-from-address",
                    subject: [[6], destination.limited, address.limited])
            ]
        case .known(let client):
            [LimitRow(limit, name: name, kind: "known-client", subject: [[4], client.key])]
        }
    }

    /// The rows of a client: its own, and those of the networks around an IPv6 address.
    ///
    /// - Parameter alone: whether only the client's own row counts.
    static func rows(
        _ limit: RateLimit, name: StaticString, from address: ClientAddress?, alone: Bool
    ) -> [LimitRow] {
        guard let address else {
            guard !alone else { return [] }
            let shared = limit.times(factorWithoutAddress)
            return [LimitRow(shared, name: name, kind: "no-address", subject: [[5]])]
        }
        let own = LimitRow(limit, name: name, kind: "address", subject: [[2], address.limited])
        guard !alone, address.isCountedByNetwork else { return [own] }
        // The widest network last: all its clients share the row, which is held for the shortest
        // time.
        return [
            own,
            LimitRow(
                limit.times(factorOf56Bits), name: name, kind: "address-56",
                subject: [[2], Array(address.limited.prefix(7))]),
            LimitRow(
                limit.times(factorOf48Bits), name: name, kind: "address-48",
                subject: [[2], Array(address.limited.prefix(6))]),
        ]
    }

    /// The limit's numbers are part of the key. If two limits shared a row, the looser limit would
    /// take the stricter limit's times for clock errors and reset them.
    func key(_ secret: AccountSecret) throws(AccountError) -> SQLValue {
        let size = UInt64(limit.burst).bigEndianBytes + UInt64(limit.interval).bigEndianBytes
        return .bytes(
            try secret.code("limit", over: [Array(name.description.utf8), size] + subject))
    }
}
