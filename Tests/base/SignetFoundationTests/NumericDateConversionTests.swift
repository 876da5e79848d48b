// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetCrypto
import SignetEmail
import SignetFoundation
import SignetIdentity
import SignetJOSE
import SignetSignIn
import SignetVault
import TestSupport
import Testing

@Suite("Conversions for Foundation")
struct NumericDateConversionTests {
    struct Trial: Codable {
        var ends: NumericDate
    }

    /// A property that has to stay a `Date`.
    struct Booking: Codable, Equatable {
        var ends: Date
        var begins: Date?

        enum CodingKeys: CodingKey { case ends, begins }

        init(ends: Date, begins: Date?) {
            self.ends = ends
            self.begins = begins
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            ends = try values.decode(NumericDate.self, forKey: .ends).date
            begins = try values.decodeIfPresent(NumericDate.self, forKey: .begins)?.date
        }

        func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: CodingKeys.self)
            try values.encode(NumericDate(ends), forKey: .ends)
            try values.encodeIfPresent(begins.map { NumericDate($0) }, forKey: .begins)
        }
    }

    @Test(
        "Dates become seconds since 1970 in a token, and come back",
        arguments: [0, 1_700_000_000, -86_400, 1_763_856_000.5])
    func both(_ seconds: Double) throws {
        let date = Date(timeIntervalSince1970: seconds)
        let written = try encode(Trial(ends: NumericDate(date)))
        #expect(
            written
                == "{\"ends\":\(seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)")}")
        #expect(try decode(Trial.self, written).ends.date == date)
        #expect(NumericDate(date).secondsSince1970 == seconds)
        let booking = Booking(ends: date, begins: nil)
        #expect(try encode(booking) == written)
        #expect(try decode(Booking.self, written) == booking)
        let whole = Booking(ends: date, begins: date)
        #expect(try decode(Booking.self, encode(whole)) == whole)
    }

    @Test("A date out of range becomes the limit")
    func limits() {
        #expect(
            NumericDate(Date(timeIntervalSince1970: .infinity)).secondsSince1970
                == 9_007_199_254_740_992)
        let now = NumericDate(Date(timeIntervalSince1970: 1_780_000_000))
        #expect(NumericDate(.distantPast) < now && now < NumericDate(.distantFuture))
    }

    static let errors: [(error: any Error, sentence: String)] = [
        (TokenError(.claimInvalid, claim: "aud", "No."), "No."),
        (KeyError(.malformed, "No."), "No."),
        (JSONError(code: .missingMember, path: "a.b"), "A required member is absent, at a.b."),
        (JSONError(code: .tooLarge), "The JSON text is too large."),
        (
            JOSEEncodingError(code: .invalidLength),
            "No byte string has a base64url text of this length. It may be truncated."
        ), (CryptographyError(.invalidKey, "No."), "No."),
        (IdentityError(.expired, "No."), "No."),
        (IdentityConfigurationError(.invalidURL, "No."), "No."),
        (BearerTokenError(.missing, "No."), "No."), (KeySourceError(.timedOut, "No."), "No."),
        (AuthorizationError(.stateMissing, "No."), "No."), (MailboxError(.empty, "No."), "No."),
        (EmailListError(.line, line: 3, "No."), "Line 3: No."),
        (EmailPolicyError(.noDomains, "No."), "No."), (StoreError(.locked, "No."), "No."),
        (SignInError.identity(IdentityError(.expired, "No.")), "No."),
    ]

    @Test("What localizedDescription shows is the message", arguments: errors.indices)
    func localized(_ index: Int) {
        let (error, sentence) = Self.errors[index]
        #expect(error.localizedDescription == sentence)
    }
}
