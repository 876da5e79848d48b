// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetCrypto
import SignetJOSE
import SignetSessionTokens
import TestSupport
import Testing

@Suite("Session tokens")
struct SessionTokenTests {
    typealias Fixture = SessionFixture

    struct Profile: Codable, Equatable {
        let role: String
        let visits: Int
    }

    @Test("A token is issued and verified with each algorithm", arguments: Fixture.Kind.allCases)
    func roundTrip(_ kind: Fixture.Kind) throws {
        let issuer = try Fixture.issuer(Fixture.ring(kind))
        let issued = try issuer.issue(
            subject: "110169484474386276334", claims: Profile(role: "admin", visits: 3))
        let session = try issuer.verify(issued.token)
        #expect(session.subject == "110169484474386276334")
        #expect(session.tokenID == issued.tokenID)
        #expect(session.sessionID == issued.sessionID)
        #expect(session.keyID == "k1")
        #expect(session.issuedAt == NumericDate(secondsSince1970: Fixture.now))
        #expect(session.expiration == issued.expiration)
        #expect(try session.claims(as: Profile.self) == Profile(role: "admin", visits: 3))
        let header = try UnverifiedToken(issued.token)
        #expect(header.algorithm == kind.rawValue)
        #expect(header.keyID == "k1")
        #expect(header.type == "JWT")
    }

    @Test(
        "expiresIn is exp - iat",
        arguments: [
            (.seconds(2_592_000), 2_592_000), (.seconds(3_600), 3_600), (.seconds(60), 60),
            (.milliseconds(60_999), 60), (.milliseconds(2_592_000_999), 2_592_000),
        ]
            as [(Duration, Int)])
    func lifetime(_ lifetime: Duration, _ seconds: Int) throws {
        let issuer = try Fixture.issuer(
            Fixture.ring(.es256), at: Fixture.now + 0.75, lifetime: lifetime)
        #expect(issuer.lifetime == .seconds(seconds))
        let issued = try issuer.issue(subject: "u")
        let claims = try Fixture.payload(issued.token)
        let iat = try #require(claims["iat"]?.integerValue)
        #expect(iat == Int64(Fixture.now))
        #expect(claims["nbf"]?.integerValue == iat)
        #expect(claims["exp"]?.integerValue == iat + Int64(seconds))
        #expect(issued.expiresIn == seconds)
        #expect(
            issued.expiration.secondsSince1970 - issued.issuedAt.secondsSince1970 == Double(seconds)
        )
    }

    @Test("The last second of 30 days is valid plus the leeway, the next is not")
    func boundary() throws {
        let ring = try Fixture.ring(.es256)
        let token = try Fixture.issuer(ring).issue(subject: "u").token
        let end = Fixture.now + 2_592_000
        #expect(throws: Never.self) { try Fixture.issuer(ring, at: end + 29).verify(token) }
        #expect(
            refusal { try Fixture.issuer(ring, at: end + 30).verify(token) }
                == TokenError(.expired, claim: "exp", ""))
        #expect(
            refusal { try Fixture.issuer(ring, at: Fixture.now - 31).verify(token) }
                == TokenError(.notYetValid, claim: "nbf", ""))
        let strict = try SessionTokenIssuer(
            issuer: Fixture.issuer, audience: Fixture.audience, keys: ring,
            lifetime: .seconds(30 * 86_400),
            leeway: .zero, clock: .fixed(secondsSince1970: end))
        #expect(refusal { try strict.verify(token) }?.code == .expired)
    }

    @Test("jti and a new sid have 128 random bits, and a given sid is kept")
    func identifiers() throws {
        let issuer = try Fixture.issuer(Fixture.ring(.hs256))
        var seen = Set<String>()
        for _ in 0..<200 {
            let issued = try issuer.issue(subject: "u")
            #expect(try Base64URL.decode(issued.tokenID).count == 16)
            #expect(try Base64URL.decode(issued.sessionID).count == 16)
            #expect(seen.insert(issued.tokenID).inserted && seen.insert(issued.sessionID).inserted)
        }
        let renewed = try issuer.issue(subject: "u", sessionID: "the-session")
        #expect(try issuer.verify(renewed.token).sessionID == "the-session")
    }

    @Test(
        "The application's claims do not replace the issuer's",
        arguments: ["iss", "aud", "sub", "sid", "jti", "iat", "nbf", "exp"])
    func registered(_ name: String) throws {
        let issuer = try Fixture.issuer(Fixture.ring(.hs256))
        let error = refusal { try issuer.issue(subject: "u", claims: [name: "x"]) }
        #expect(error == TokenError(.signingFailed, claim: name, ""))
        #expect(error.map { HTTPRefusal($0).status } == 500)
    }

    @Test("Claims that are not an object, too deep or too long are the program's error")
    func impossibleClaims() throws {
        let issuer = try Fixture.issuer(Fixture.ring(.hs256))
        var deep = JSONValue.null
        for _ in 0..<40 { deep = .array([deep]) }
        let long = ["a": String(repeating: "x", count: SessionTokenIssuer.maximumTokenByteCount)]
        #expect(
            refusal { try issuer.issue(subject: "u", claims: [1, 2]) }?.code == .signingFailed)
        #expect(
            refusal { try issuer.issue(subject: "u", claims: ["a": deep]) }?.code
                == .signingFailed)
        let tooLong = refusal { try issuer.issue(subject: "u", claims: long) }
        #expect(tooLong?.fullCode == "signingFailed.tooLarge")
    }

    @Test("A subject or session has 1 to 255 bytes", arguments: ["sub", "sid"])
    func names(_ claim: String) throws {
        let issuer = try Fixture.issuer(Fixture.ring(.hs256))
        let issue = { (text: String) in
            try issuer.issue(
                subject: claim == "sub" ? text : "u", sessionID: claim == "sid" ? text : nil)
        }
        #expect(refusal { try issue("") } == TokenError(.signingFailed, claim: claim, ""))
        #expect(
            refusal { try issue(String(repeating: "é", count: 128)) }
                == TokenError(.signingFailed, claim: claim, ""))
        #expect(
            refusal { try issuer.verify(issue(String(repeating: "x", count: 255)).token) }
                == nil)
        #expect(refusal { try issuer.verify(issue("\" \\ \u{0} é 🙂").token) } == nil)
    }

    @Test("A clock beyond a token's range issues nothing")
    func clock() throws {
        let ring = try Fixture.ring(.hs256)
        for seconds in [Double.infinity, .nan, 9_007_199_254_740_992] {
            let issuer = try Fixture.issuer(ring, at: seconds)
            #expect(refusal { try issuer.issue(subject: "u") }?.code == .signingFailed)
        }
        let early = try Fixture.issuer(ring, at: -.infinity)
        #expect(refusal { try early.verify(early.issue(subject: "u").token) } == nil)
    }

    @Test("Lifetimes are whole seconds from 60 s to 30 days")
    func lifetimes() throws {
        let ring = try Fixture.ring(.hs256)
        for duration in [
            Duration.zero, .milliseconds(59_999), .seconds(-60), .seconds(2_592_001),
            .seconds(Int64.max), .seconds(Int64.min),
        ] {
            #expect(
                configurationRefusal { try Fixture.issuer(ring, lifetime: duration) }
                    == .outOfRange,
                "\(duration)")
        }
    }

    @Test("An issuer needs an issuer, an audience, a type and a valid leeway")
    func configuration() throws {
        let ring = try Fixture.ring(.hs256)
        #expect(configurationRefusal { try Fixture.issuer(ring, issuer: "") } == .invalidIdentifier)
        #expect(
            configurationRefusal { try Fixture.issuer(ring, audience: "") } == .invalidIdentifier)
        #expect(configurationRefusal { try Fixture.issuer(ring, type: "") } == .invalidIdentifier)
        #expect(
            configurationRefusal { try Fixture.issuer(ring, type: "application/") } == .outOfRange)
        for leeway in [Duration.seconds(-1), .seconds(301), .seconds(Int64.max)] {
            #expect(
                configurationRefusal {
                    try SessionTokenIssuer(
                        issuer: "i", audience: "a", keys: ring, lifetime: .seconds(3600),
                        leeway: leeway,
                        clock: .still)
                } == .outOfRange)
        }
    }

    @Test("Claims that do not fit a type give an error with the place")
    func claimsOfAnotherType() throws {
        let issuer = try Fixture.issuer(Fixture.ring(.hs256))
        let session = try issuer.verify(issuer.issue(subject: "u", claims: ["role": 1]).token)
        #expect(
            refusal { try session.claims(as: [String: String].self) }?.code == .claimInvalid)
    }

    @Test("A Date in claims is refused with the remedy, issued or read")
    func dates() throws {
        let issuer = try Fixture.issuer(Fixture.ring(.hs256))
        struct Lock: Codable { var until: Date }
        let issued = refusal {
            try issuer.issue(subject: "u", claims: Lock(until: .distantFuture))
        }
        let session = try issuer.verify(
            issuer.issue(subject: "u", claims: ["until": 1_700_000_000]).token)
        for error in [issued, refusal { try session.claims(as: Lock.self) }] {
            #expect(error == TokenError(.unsupportedType, claim: "until", ""))
            #expect(error?.message.contains("NumericDate") == true)
        }
    }
}
