// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetBase
import SignetIdentity
import SignetJOSE
import TestSupport
import Testing

/// A duration holds more seconds than 64 bits do, and `components` then ends the process.
@Suite("Durations of any length are taken or refused")
struct LongDurationTests {
    static let durations: [Duration] = [
        Duration(attoseconds: .max), Duration(attoseconds: .min), .seconds(Int64.max),
        .seconds(Int64.min), .seconds(9.3e18), .seconds(-9.3e18),
    ]

    @Test("Lifetimes and limits out of range are refused", arguments: durations)
    func refused(_ duration: Duration) throws {
        #expect(throws: IdentityConfigurationError(.outOfRange, "")) {
            try SessionFixture.issuer(lifetime: duration)
        }
        #expect(throws: AccountError(.invalidParameter, "")) {
            try KeySchedule(rotation: duration)
        }
        #expect(throws: AccountError(.invalidParameter, "")) {
            try KeySchedule(tokenLifetime: duration)
        }
        let key = try HMACKey.generate(.hs256)
        let signer = try TokenSigner(hmacKey: key, clock: .still)
        #expect(throws: TokenError(.invalidPolicy, "")) {
            try signer.sign(["sub": "ann"], lifetime: duration)
        }
        #expect(throws: TokenError(.invalidPolicy, "")) {
            try TokenPolicy(
                issuer: "https://idp.example", audience: ["api"], leeway: duration,
                clock: .still)
        }
    }

    @Test("A pause or an age of any length is written", arguments: durations)
    func written(_ duration: Duration) {
        let refusal = HTTPRefusal(AccountError(.tooManyRequests, retryAfter: duration, ""))
        #expect(refusal.status == 429)
        let old = HTTPRefusal.insufficientAuthentication(maximumAge: duration)
        #expect(old.challenge?.contains("max_age=") == (duration >= .zero))
    }

    @Test("Whole seconds and milliseconds are rounded, and the nearest of 64 bits")
    func whole() {
        #expect(Duration.milliseconds(1_999).wholeSeconds == 1)
        #expect(Duration.milliseconds(-1_999).wholeSeconds == -1)
        #expect(Duration.milliseconds(1_001).wholeSecondsUp == 2)
        #expect(Duration.milliseconds(-1_001).wholeSecondsUp == -1)
        #expect(Duration.seconds(7).wholeSecondsUp == 7)
        #expect(Duration.microseconds(1_500).wholeMilliseconds == 1)
        #expect(Duration.milliseconds(1_250).inSeconds == 1.25)
        #expect(Duration.milliseconds(-1_250).inSeconds == -1.25)
        let longest = Duration(attoseconds: .max)
        #expect(longest.wholeSeconds == .max && longest.wholeSecondsUp == .max)
        #expect(longest.wholeMilliseconds == .max)
        #expect(Duration(attoseconds: .min).wholeSeconds == .min)
    }
}
