// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetAccounts

/// Checks that an engine of your own keeps the promises of `AccountDatabase`, and that the code
/// that this library builds on it works over that engine.
///
/// With Swift Testing, each check is a test:
///
///     @Test(arguments: AccountDatabaseChecks.all)
///     func keepsThePromise(_ check: AccountCheck) async throws {
///         try await check.run(on: MyDatabase())
///     }
public enum AccountDatabaseChecks {
    /// All checks.
    public static let all: [AccountCheck] = engine + refreshTokens + factors + people + support

    /// Checks of the promises of an engine.
    public static let engine: [AccountCheck] =
        AccountCheck.values + AccountCheck.transactions + AccountCheck.races

    /// Checks of the promises of `RefreshTokens`, `SessionCutOff` and `LogoutReplayTable`, over the
    /// engine.
    public static let refreshTokens: [AccountCheck] =
        AccountCheck.rotation + AccountCheck.lostAnswers + AccountCheck.thieves
        + AccountCheck.endings + AccountCheck.sessionRaces + AccountCheck.logouts

    /// Checks of the promises of `RateLimits`, `KnownClients`, `OneTimeCodes`, `Outbox`,
    /// `AccountNotices`, `SecondFactors` and `StoredPasswords`, over the engine.
    ///
    /// In a shared database the checks delay waiting messages by up to a minute.
    public static let factors: [AccountCheck] =
        AccountCheck.limits + AccountCheck.clients + AccountCheck.codes + AccountCheck.factors
        + AccountCheck.notices + AccountCheck.passwords

    /// Checks of the promises of `People` and `GuestRetention`, over the engine.
    public static let people: [AccountCheck] = AccountCheck.people + AccountCheck.guests

    /// Checks of the promises of `AccountSupport`, over the engine.
    public static let support: [AccountCheck] = AccountCheck.support

    /// Runs all checks in sequence.
    ///
    /// - Parameters:
    ///   - database: a database that has the tables of this version (`AccountSchema.migrate`).
    ///   - other: the same database through a second object; nil if there can be none.
    /// - Returns: the checks that failed, each with its finding.
    public static func failures(
        of database: any AccountDatabase, beside other: (any AccountDatabase)? = nil
    ) async -> [AccountCheck.Failure] {
        var failures: [AccountCheck.Failure] = []
        for check in all {
            do throws(AccountCheck.Failure) {
                try await check.run(on: database, beside: other)
            } catch {
                failures.append(error)
            }
        }
        return failures
    }
}
