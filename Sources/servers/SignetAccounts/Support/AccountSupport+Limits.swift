// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// Which limits a reset gives back: all that count for the user and refuse something. Not those that
// count for an address of a client, and not that of notices, which only delays them.
extension AccountSupport {
    /// Gives back the limits that calls take before they hold the user.
    ///
    /// - Parameter withSessions: whether the sessions stay, which have limits too.
    func clearLimits(
        of id: String, withSessions: Bool, in transaction: any AccountTransaction
    ) async throws(AccountError) {
        let destinations = try await destinations(of: id, in: transaction)
        let clients = try await clients(of: id, in: transaction)
        var uses: [Use] = []
        for limit in codes?.limitsOfGuesses ?? [] { uses += destinations.map { (limit, $0) } }
        for limit in limits {
            uses += ([.account(id)] + destinations + clients).map { (limit, $0) }
        }
        if withSessions, !limitsOfSessions.isEmpty {
            let own = try await sessions.sessions(of: id, in: transaction)
                .map { RateLimits.Subject.account($0.id) }
            for limit in limitsOfSessions { uses += own.map { (limit, $0) } }
        }
        try await clear(uses, in: transaction)
    }

    /// Gives back the limits that calls take while they hold the user.
    func clearHeldLimits(
        of id: String, in transaction: any AccountTransaction
    ) async throws(AccountError) {
        let devices = try await factors.factors(of: id, in: transaction)
            .map { RateLimits.Subject.account($0.id) }
        let clients = try await clients(of: id, in: transaction)
        var uses: [Use] = (devices + clients).map { (factors.limitOfCodes, $0) }
        uses.append((factors.limitOfRecoveryCodes, .account(id)))
        if let codes {
            let destinations = try await destinations(of: id, in: transaction)
            for limit in codes.limitsOfMessages { uses += destinations.map { (limit, $0) } }
        }
        try await clear(uses, in: transaction)
    }

    private typealias Use = (limit: RateLimits.Named, subject: RateLimits.Subject)

    private func clear(
        _ uses: [Use], in transaction: any AccountTransaction
    ) async throws(AccountError) {
        for use in uses {
            try await factors.limits.clear(
                use.limit.limit, name: use.limit.name, for: use.subject, in: transaction)
        }
    }

    private func destinations(
        of id: String, in transaction: any AccountTransaction
    ) async throws(AccountError) -> [RateLimits.Subject] {
        try await people.identities(of: id, in: transaction)
            .compactMap { CodeDestination($0.identity) }
            .map(RateLimits.Subject.destination)
    }

    private func clients(
        of id: String, in transaction: any AccountTransaction
    ) async throws(AccountError) -> [RateLimits.Subject] {
        try await KnownClients.clients(of: id, in: transaction).map(RateLimits.Subject.known)
    }
}
