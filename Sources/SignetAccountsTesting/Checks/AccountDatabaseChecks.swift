// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetAccounts

/// Checks an engine of your own against what `AccountDatabase` promises, and what is built on it
/// against that engine.
///
/// With Swift Testing, one test a check:
///
///     @Test(arguments: AccountDatabaseChecks.all)
///     func keepsThePromise(_ check: AccountCheck) async throws {
///         try await check.run(on: MyDatabase())
///     }
public enum AccountDatabaseChecks {
    /// All checks.
    public static let all: [AccountCheck] = engine + refreshTokens + factors + people

    /// What an engine promises.
    public static let engine: [AccountCheck] =
        AccountCheck.values + AccountCheck.transactions + AccountCheck.races

    /// What `RefreshTokens` and `SessionCutOff` promise, over the engine.
    public static let refreshTokens: [AccountCheck] =
        AccountCheck.rotation + AccountCheck.endings + AccountCheck.sessionRaces

    /// What `RateLimits`, `OneTimeCodes`, `Outbox` and `SecondFactors` promise, over the engine.
    ///
    /// Messages that wait in a shared database are put off by up to a minute.
    public static let factors: [AccountCheck] =
        AccountCheck.limits + AccountCheck.codes + AccountCheck.factors

    /// What `People` promises, over the engine.
    public static let people: [AccountCheck] = AccountCheck.people

    /// Runs the checks one after the other.
    ///
    /// - Returns: those that failed, each with what was found.
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
