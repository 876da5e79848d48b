// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetCrypto

/// One-time passwords by time (RFC 6238), as authenticator apps show them.
///
/// Time is divided into steps, and a step is the counter of an ``HOTP``. A code is valid in its own
/// step, in the step before and in the step after (section 5.2), to allow for wrong clocks and slow
/// typing. **Not** done here: counting attempts, which ``SecondFactors`` does. Printing shows
/// nothing.
public struct TOTP: Sendable, Redacted {
    /// The source of the codes.
    public let hotp: HOTP
    /// The length of a step in seconds.
    public let period: Int

    /// Makes an authenticator with this key. The defaults work with every app.
    ///
    /// - Parameters:
    ///   - key: 16 to 128 bytes; nil makes a new key, as long as the hash.
    ///   - hash: the hash under the HMAC.
    ///   - digitCount: 6 to 8.
    ///   - period: seconds, 15 to 300.
    /// - Throws: `invalidParameter`; `unavailable` without randomness.
    public init(
        key: SecretKey? = nil, hash: HOTP.Hash = .sha1, digitCount: Int = 6, period: Int = 30
    ) throws(AccountError) {
        if let fault = ParameterRange("period", value: period, in: 15...300).fault {
            throw AccountError(.invalidParameter, fault)
        }
        hotp = try HOTP(key: key, hash: hash, digitCount: digitCount)
        self.period = period
    }

    /// The step of a time; the first step for times before 1970.
    public func step(at time: NumericDate) -> UInt64 {
        let seconds = max(0, time.secondsSince1970)
        // `NumericDate` is bounded far inside of 64 bits, so that every step is exact.
        return UInt64(exactly: (seconds / Double(period)).rounded(.down)) ?? UInt64(Int64.max)
    }

    /// The code of a time.
    ///
    /// - Throws: `unavailable` if libcrypto lacks the hash.
    public func code(at time: NumericDate) throws(AccountError) -> String {
        try hotp.code(at: step(at: time))
    }

    /// The step of this code; nil for a code that is wrong, used or of a different time.
    ///
    /// Before letting the person in, store the step, only if the stored step is smaller: then this
    /// code and all older codes work at most once (RFC 6238, section 5.2).
    ///
    /// - Parameters:
    ///   - text: what a person typed, ASCII digits only. All comparisons take the same time.
    ///   - time: the time of the attempt.
    ///   - lastStep: the last accepted step; nil if there is none.
    /// - Throws: `unavailable` if libcrypto lacks the hash.
    public func step(
        of text: String, at time: NumericDate, after lastStep: UInt64?
    ) throws(AccountError) -> UInt64? {
        let now = step(at: time)
        let first = now == 0 ? 0 : now - 1
        guard hotp.isCode(text) else { return nil }
        // No comparison is left out after a match, so that the time does not tell the step.
        var found: UInt64?
        for candidate in first...now + 1 {
            let isEqual = ConstantTime.areEqual(try hotp.digits(at: candidate), text.utf8)
            // The oldest valid step: younger ones may still be used.
            let isNew = lastStep.map { candidate > $0 } ?? true
            if isEqual, isNew, found == nil { found = candidate }
        }
        return found
    }
}
