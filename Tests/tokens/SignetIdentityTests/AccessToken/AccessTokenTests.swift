// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetIdentity
import SignetJOSE
import TestSupport
import Testing

@Suite("Access tokens (RFC 9068)")
struct AccessTokenTests {
    static let claims: TestClaimSet = [
        "iss": #""https://idp.example""#,
        "aud": #"["https://api.example","https://other.example"]"#,
        "sub": #""u1""#, "client_id": #""client-1""#, "jti": #""t-1""#, "scope": #""read write""#,
        "iat": ProviderFixture.times.issued, "exp": ProviderFixture.times.expires,
    ]
    static let header = #"{"alg":"RS256","kid":"rsa-1","typ":"at+jwt"}"#

    private func verifier() throws -> AccessTokenVerifier {
        try AccessTokenVerifier(
            .rfc9068(issuer: "https://idp.example", resources: ["https://api.example"]),
            keys: .inHand(ProviderKey.rsa.set), options: ProviderFixture.openID().options())
    }

    private func refusal(_ edits: [String: String?], _ header: String = header) async throws
        -> IdentityError?
    {
        let verifier = try verifier()
        let token = try ProviderKey.rsa.token(Self.claims.changing(edits).json, header: header)
        return await reason { () async throws(IdentityError) in try await verifier.verify(token) }
    }

    @Test("A good token gives its claims")
    func good() async throws {
        let token = try ProviderKey.rsa.token(Self.claims.json, header: Self.header)
        let verified = try await verifier().verify(token)
        #expect(
            verified.principal == .user("u1") && verified.clientID == "client-1"
                && verified.tokenID == "t-1"
        )
        #expect(verified.scopes == ["read", "write"] && verified.hasScope("write"))
        for scope in ["", "Write", "rea", "read write"] { #expect(!verified.hasScope(scope)) }
        #expect(
            verified.audience.count == 2 && verified.keyID == "rsa-1"
                && verified.issuer == "https://idp.example")
        struct Claims: Decodable { var jti: String }
        #expect(try verified.claims(as: Claims.self).jti == "t-1")
        struct Dates: Decodable { var exp: Date }
        let error = #expect(throws: IdentityError.self) { try verified.claims(as: Dates.self) }
        #expect(error == IdentityError(.unsupportedType, claim: "exp", ""))
        #expect(error?.message.contains("NumericDate") == true)
        let field = "Bearer \(token)"
        #expect(try await verifier().verify(field.dropFirst(7)).principal == .user("u1"))
        #expect(try verifier().verifyWithKeysInHand(field.dropFirst(7))?.principal == .user("u1"))
        #expect(try verifier().verifyWithKeysInHand(token)?.principal == .user("u1"))
        #expect(
            try await refusal([:], Self.header.replacing("at+jwt", with: "application/AT+JWT"))
                == nil)
        #expect(try await refusal(["scope": nil]) == nil)
    }

    @Test(
        "A token that breaks a rule is refused with its code",
        arguments: [
            ClaimCase("iss of another", ["iss": #""https://evil.example""#], .issuer, "iss"),
            ClaimCase(
                "aud of another", ["aud": #""https://other.example""#], .audienceMissing, "aud"),
            ClaimCase("aud missing", ["aud": nil], .audienceMissing, "aud"),
            ClaimCase("aud empty", ["aud": "[]"], .audienceMissing, "aud"),
            ClaimCase("exp missing", ["exp": nil], .claimMissing, "exp"),
            ClaimCase("expired", ["exp": "1799999970"], .expired, "exp"),
            ClaimCase("iat missing", ["iat": nil], .claimMissing, "iat"),
            ClaimCase("iat in the future", ["iat": "1800000031"], .issuedInFuture, "iat"),
            ClaimCase("nbf in the future", ["nbf": "1800000031"], .notYetValid, "nbf"),
            ClaimCase("sub missing", ["sub": nil], .subject, "sub"),
            ClaimCase("sub empty", ["sub": #""""#], .subject, "sub"),
            ClaimCase("sub a number", ["sub": "1"], .subject, "sub"),
            ClaimCase("client_id missing", ["client_id": nil], .claimMissing, "client_id"),
            ClaimCase("client_id null", ["client_id": "null"], .claimMissing, "client_id"),
            ClaimCase("client_id empty", ["client_id": #""""#], .claimInvalid, "client_id"),
            ClaimCase("client_id a number", ["client_id": "1"], .claimInvalid, "client_id"),
            ClaimCase("jti missing", ["jti": nil], .claimMissing, "jti"),
            ClaimCase("jti empty", ["jti": #""""#], .claimInvalid, "jti"),
            ClaimCase("jti a number", ["jti": "1"], .claimInvalid, "jti"),
            ClaimCase("scope a number", ["scope": "1"], .claimInvalid, "scope"),
            ClaimCase("scope a list of numbers", ["scope": "[1]"], .claimInvalid, "scope"),
        ])
    func rules(_ one: ClaimCase) async throws {
        let error = try await refusal(one.edits)
        #expect(
            error?.code == one.code && error?.claim == one.claim,
            "\(one.name): \(String(describing: error))")
    }

    @Test("An ID token opens no API, and an access token signs no one in")
    func confusion() async throws {
        for type in ["", #","typ":"JWT""#, #","typ":"id+jwt""#, #","typ":"logout+jwt""#] {
            #expect(
                try await refusal([:], #"{"alg":"RS256","kid":"rsa-1"\#(type)}"#)?.code
                    == .typeMismatch,
                "\(type)")
        }
        let fixture = try ProviderFixture.openID()
        let verifier = try fixture.verifier()
        let token = try fixture.token(
            ["client_id": #""client-1""#, "jti": #""t""#], header: Self.header)
        #expect(
            await reason { () async throws(IdentityError) in try await verifier.verify(token) }?
                .code
                == .typeMismatch)
    }

    @Test("Other algorithms are refused")
    func algorithms() async throws {
        #expect(try await refusal([:], #"{"alg":"none","typ":"at+jwt"}"#)?.code == .unsupportedAlg)
        #expect(
            try await refusal([:], #"{"alg":"HS256","kid":"rsa-1","typ":"at+jwt"}"#)?.code
                == .algMismatch)
        #expect(
            try await refusal([:], #"{"alg":"PS256","kid":"rsa-1","typ":"at+jwt"}"#)?.code
                == .algMismatch)
    }

    @Test("Invalid configurations are rejected")
    func configuration() {
        func code(
            _ issuer: String, _ resources: [String], _ algorithms: [SignatureAlgorithm] = [.rs256]
        )
            -> IdentityConfigurationError.Code?
        {
            do throws(IdentityConfigurationError) {
                _ = try AccessTokenVerifier(
                    .rfc9068(issuer: issuer, resources: resources, algorithms: algorithms),
                    keys: .inHand(ProviderKey.rsa.set), options: .still)
                return nil
            } catch {
                return error.code
            }
        }
        #expect(code("https://idp.example", ["api"]) == nil)
        #expect(code("idp.example", ["api"]) == .invalidURL)
        #expect(code("https://idp.example", []) == .invalidIdentifier)
        #expect(code("https://idp.example", [""]) == .invalidIdentifier)
        #expect(code("https://idp.example", ["api"], []) == .contradiction)
    }
}
