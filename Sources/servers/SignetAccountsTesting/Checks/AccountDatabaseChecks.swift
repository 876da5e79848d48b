// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetAccounts

/// Checks that an engine of your own keeps the promises of `AccountDatabase`, and that what this
/// library builds on it works over that engine.
///
/// With Swift Testing, each check is a test:
///
///     @Test(arguments: AccountDatabaseChecks.all)
///     func keepsThePromise(_ check: AccountCheck) async throws {
///         try await check.run(on: MyDatabase())
///     }
public enum AccountDatabaseChecks {
    /// All checks.
    public static let all: [AccountCheck] = engine + refreshTokens + factors + people

    /// Checks of what an engine promises.
    public static let engine: [AccountCheck] =
        AccountCheck.values + AccountCheck.transactions + AccountCheck.races

    /// Checks of what `RefreshTokens`, `SessionCutOff` and `LogoutReplayTable` promise, over the
    /// engine.
    public static let refreshTokens: [AccountCheck] =
        AccountCheck.rotation + AccountCheck.lostAnswers + AccountCheck.thieves
        + AccountCheck.endings + AccountCheck.sessionRaces + AccountCheck.logouts

    /// Checks of what `RateLimits`, `KnownClients`, `OneTimeCodes`, `Outbox`, `AccountNotices`,
    /// `SecondFactors` and `StoredPasswords` promise, over the engine.
    ///
    /// In a shared database they delay the messages of others by up to a minute.
    public static let factors: [AccountCheck] =
        AccountCheck.limits + AccountCheck.clients + AccountCheck.codes + AccountCheck.factors
        + AccountCheck.notices + AccountCheck.passwords

    /// Checks of what `People` and `GuestRetention` promise, over the engine.
    public static let people: [AccountCheck] = AccountCheck.people + AccountCheck.guests

    /// Runs the checks one after another.
    ///
    /// - Returns: the checks that failed, each with what it found.
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
