// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts

/// How a session began, and whether a second factor was shown in it since.
struct SessionBeginning: Sendable {
    let method: String
    /// Seconds since 1970.
    let at: Int64
    /// When a second factor was shown that the user still has, in seconds since 1970; nil for none.
    let factorAt: Int64?
    /// GoTrue's name of that factor's kind.
    let factorMethod: String?

    /// Whether a second factor was shown: the assurance level 2.
    var hasFactor: Bool { factorAt != nil }

    /// - Parameter row: the method, the milliseconds, the factor, its milliseconds and its kind;
    ///   nil for a session that began by a call of `RefreshTokens`.
    init(_ row: SQLRow?, of session: AccountSession) throws(AccountError) {
        if let row {
            method = try row.text(0)
            at = try row.integer(1) / 1000
            let hasFactor = !row.isNull(2)
            factorAt = hasFactor ? try row.integer(3) / 1000 : nil
            factorMethod =
                hasFactor ? SecondFactors.Factor.Kind.goTrueName(of: try row.text(4)) : nil
        } else {
            let begunAt = session.begunAt.secondsSince1970
            guard let seconds = Int64(exactly: begunAt.rounded(.down)) else {
                throw AccountError(.corrupt, "The beginning of a session is no time.")
            }
            method = "unknown"
            at = seconds
            factorAt = nil
            factorMethod = nil
        }
    }
}
