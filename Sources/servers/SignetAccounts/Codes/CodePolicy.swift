// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetSignIn

/// How long one-time codes are, how long they live and how often they are sent.
public struct CodePolicy: Sendable {
    /// Digits of a code.
    public let digitCount: Int
    /// How long a code is good.
    public let lifetime: Duration
    /// How often a code may be wrong before it ends.
    public let tries: Int
    /// How long after a code its client may ask for the next, for that destination and purpose.
    public let resendAfter: Duration
    /// Codes sent to a destination, for all purposes together: a fifth for known devices, a fifth
    /// for known devices and known addresses (``KnownClients``), three fifths for all clients.
    public let sentToDestination: RateLimit
    /// Codes asked for from a client address.
    public let sentFromAddress: RateLimit
    /// Wrong codes for a destination, over all codes, addresses and purposes. Clients without a
    /// code of their own have this limit together, and so have clients with their own code. Known
    /// devices and known addresses (``KnownClients``) have half of it each.
    public let wrongCodes: RateLimit

    /// 6 digits, 300 s, 5 tries, 60 s, 5 codes an hour for a destination, 30 an hour for an
    /// address, 20 wrong codes a day.
    public static let standard = CodePolicy(
        digits: 6, lifetime: .seconds(300), tries: 5, resendAfter: .seconds(60),
        sentToDestination: .codesForDestination, sentFromAddress: .codesFromAddress,
        wrongCodes: .wrongCodes)

    /// A custom policy. Arguments that are left out have the values of ``standard``.
    ///
    /// - Parameters:
    ///   - digitCount: 6 to 10.
    ///   - lifetime: 30 to 600 s (NIST SP 800-63B: at most ten minutes).
    ///   - tries: 1 to 10.
    ///   - resendAfter: 1 to 600 s.
    ///   - sentToDestination: how many codes a destination gets.
    ///   - sentFromAddress: how many codes a client address may ask for.
    ///   - wrongCodes: how many wrong codes a destination is allowed.
    /// - Throws: `invalidParameter` for a value outside these ranges.
    public init(
        digitCount: Int = 6, lifetime: Duration = .seconds(300), tries: Int = 5,
        resendAfter: Duration = .seconds(60),
        sentToDestination: RateLimit = .codesForDestination,
        sentFromAddress: RateLimit = .codesFromAddress, wrongCodes: RateLimit = .wrongCodes
    ) throws(AccountError) {
        if let fault = ParameterRange.fault(
            .init("digitCount", value: digitCount, in: OneTimeCode.digitCounts),
            .init("tries", value: tries, in: 1...10),
            .init("lifetime", value: lifetime, in: .seconds(30) ... .seconds(600)),
            .init("resendAfter", value: resendAfter, in: .seconds(1) ... .seconds(600)))
        {
            throw AccountError(.invalidParameter, fault)
        }
        self.init(
            digits: digitCount, lifetime: lifetime, tries: tries, resendAfter: resendAfter,
            sentToDestination: sentToDestination, sentFromAddress: sentFromAddress,
            wrongCodes: wrongCodes)
    }

    private init(
        digits digitCount: Int, lifetime: Duration, tries: Int, resendAfter: Duration,
        sentToDestination: RateLimit, sentFromAddress: RateLimit, wrongCodes: RateLimit
    ) {
        self.digitCount = digitCount
        self.lifetime = lifetime
        self.tries = tries
        self.resendAfter = resendAfter
        self.sentToDestination = sentToDestination
        self.sentFromAddress = sentFromAddress
        self.wrongCodes = wrongCodes
    }
}
