// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// Which limits a reset gives back: all that count for the user and refuse something. Not those that
// count for an address of a client, and not that of notices, which only delays them.
extension AccountSupport {
    func clearLimits(
        of id: String, in transaction: any AccountTransaction
    ) async throws(AccountError) {
        let user = RateLimits.Subject.account(id)
        let destinations = try await destinations(of: id, in: transaction)
        let clients = try await KnownClients.clients(of: id, in: transaction)
            .map(RateLimits.Subject.known)
        let devices = try await factors.factors(of: id, in: transaction)
            .map { RateLimits.Subject.account($0.id) }
        let own = try await sessions.sessions(of: id, in: transaction)
            .map { RateLimits.Subject.account($0.id) }
        for (group, subjects) in [
            (codes?.limitsOfDestinations ?? [], destinations),
            (limits, [user] + destinations + clients),
            (limitsOfSessions, own), ([factors.limitOfCodes], devices + clients),
            ([factors.limitOfRecoveryCodes], [user]),
        ] {
            for limit in group {
                for subject in subjects {
                    try await factors.limits.clear(
                        limit.limit, name: limit.name, for: subject, in: transaction)
                }
            }
        }
    }

    private func destinations(
        of id: String, in transaction: any AccountTransaction
    ) async throws(AccountError) -> [RateLimits.Subject] {
        try await people.identities(of: id, in: transaction)
            .compactMap { CodeDestination($0.identity) }
            .map(RateLimits.Subject.destination)
    }
}
