// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetBase

/// Deletes expired sessions, codes and limits every hour, what ``AccountSupport`` did more than 400
/// days ago, and guests if a ``GuestRetention`` says so. Apart from guests, and from the events of
/// the support, it affects only the size of the database.
public struct AccountSweep: Sendable {
    private let sessions: RefreshTokens
    private let rows: [EndedRows]
    private let guests: GuestRetention?

    /// A sweep of sessions, and of what else the program keeps.
    ///
    /// - Parameters:
    ///   - sessions: the sessions.
    ///   - codes: the codes; nil for a program without.
    ///   - limits: the limits; nil for a program without.
    ///   - guests: which guests are deleted; nil for none.
    public init(
        _ sessions: RefreshTokens, codes: OneTimeCodes? = nil, limits: RateLimits? = nil,
        guests: GuestRetention? = nil
    ) {
        self.init(
            sessions, rows: sessions.ended + (codes?.ended ?? []) + (limits?.ended ?? []),
            guests: guests)
    }

    /// A sweep of these rows, and of guests.
    package init(_ sessions: RefreshTokens, rows: [EndedRows], guests: GuestRetention?) {
        self.sessions = sessions
        self.rows =
            rows + [EndedRows(sessions.database, statement: SupportStatements.sweepEvents)]
        self.guests = guests
    }

    /// Sweeps until the task is cancelled. Start it once per process, beside the server. A sweep
    /// that failed is tried again the next time.
    ///
    /// - Parameters:
    ///   - pause: how long to wait before each sweep.
    ///   - time: the clock for pauses.
    ///   - report: receives errors of the database, for a log.
    public func run(
        every pause: Duration = .seconds(3600), time: TimeSource = .system,
        report: @escaping @Sendable (AccountError) -> Void = { _ in }
    ) async {
        while true {
            await time.sleep(for: pause)
            guard !Task.isCancelled else { return }
            do { try await sweep() } catch {
                if !Task.isCancelled { report(error) }
            }
        }
    }

    /// Sweeps once, in transactions of at most 500 rows. If a table fails, the next tables are
    /// swept all the same. Rows that a concurrent transaction holds are left for the next sweep.
    ///
    /// - Throws: the first of the database's errors, at the end.
    public func sweep() async throws(AccountError) {
        // The guests too, also after an error.
        var firstError: AccountError?
        do throws(AccountError) { try await EndedRows.delete(rows) } catch { firstError = error }
        do throws(AccountError) {
            try await guests?.deleteGuests(of: sessions)
        } catch {
            firstError = firstError ?? error
        }
        if let firstError { throw firstError }
    }
}
