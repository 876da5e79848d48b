// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetPlatform

/// Deletes expired sessions, codes and limits every hour. It affects only the size of the database.
public struct AccountSweep: Sendable {
    private let sessions: RefreshTokens
    private let codes: OneTimeCodes
    private let limits: RateLimits

    /// A sweep of these.
    public init(_ sessions: RefreshTokens, _ codes: OneTimeCodes, _ limits: RateLimits) {
        (self.sessions, self.codes, self.limits) = (sessions, codes, limits)
    }

    /// Sweeps until the task is cancelled. Start it once a process, alongside the server; what
    /// fails is tried again the next time.
    ///
    /// - Parameters:
    ///   - pause: how long to wait before each time.
    ///   - time: where pauses are taken from.
    ///   - report: is told of errors of the database, for a log.
    public func run(
        every pause: Duration = .seconds(3600), time: TimeSource = .system,
        report: @escaping @Sendable (AccountError) -> Void = { _ in }
    ) async {
        while true {
            await time.sleep(for: pause)
            guard !Task.isCancelled else { return }
            do throws(AccountError) { try await sweep() } catch {
                if !Task.isCancelled { report(error) }
            }
        }
    }

    /// Sweeps once, in transactions of at most 500 rows. Where one table fails, the others are
    /// swept all the same. Rows that someone else holds are left for the next time.
    ///
    /// - Throws: as the database, the first error at the end.
    public func sweep() async throws(AccountError) {
        try await EndedRows.delete(sessions.ended + codes.ended + limits.ended)
    }
}
