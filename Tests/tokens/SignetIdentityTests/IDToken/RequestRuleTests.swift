// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import SignetJOSE
import TestSupport
import Testing

/// What the request asked for, and the token has to answer to.
@Suite("Access token, code, max_age, acr and age")
struct RequestRuleTests {
    static let accessToken = "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y"
    static let code = "Qcb0Orv1zh30vL1MPRsbm-diHiMwcLyZvn1arpZv-Jxf_11jnpEX3Tgfvk"

    // OpenID Connect Core, appendices A.3 and A.4: RS256.
    static let published = (atHash: "77QmUPtjPfzWtF2AnpK9RQ", cHash: "LDktKdoQak3Pk0cnXxCltA")

    private func refusal(
        _ edits: [String: String?], accessToken: String? = nil, code: String? = nil,
        maximumAge: Duration? = nil, contexts: [String] = []
    ) async throws -> IdentityError? {
        let fixture = try ProviderFixture.openID()
        let verifier = try fixture.verifier()
        let token = try fixture.token(edits)
        return await reason { () async throws(IdentityError) in
            try await verifier.verify(
                token, accessToken: accessToken, code: code, maximumAuthenticationAge: maximumAge,
                authenticationContexts: contexts)
        }
    }

    @Test("The published hashes match")
    func publishedHashes() async throws {
        let edits = [
            "at_hash": "\"\(Self.published.atHash)\"", "c_hash": "\"\(Self.published.cHash)\"",
        ]
        #expect(try await refusal(edits, accessToken: Self.accessToken, code: Self.code) == nil)
        #expect(try await refusal(edits) == nil)
        #expect(try await refusal(edits, accessToken: Self.code)?.code == .atHash)
        #expect(try await refusal(edits, code: Self.accessToken)?.code == .cHash)
        #expect(try await refusal(edits, accessToken: "")?.code == .atHash)
    }

    @Test("A required claim that is missing or different is refused")
    func failClosed() async throws {
        for (claim, expected) in [("at_hash", IdentityError.Code.atHash), ("c_hash", .cHash)] {
            let right = claim == "at_hash" ? Self.published.atHash : Self.published.cHash
            func refusal(_ value: String?) async throws -> IdentityError? {
                try await self.refusal(
                    [claim: value], accessToken: expected == .atHash ? Self.accessToken : nil,
                    code: expected == .cHash ? Self.code : nil)
            }
            #expect(try await refusal("\"\(right)\"") == nil)
            #expect(try await refusal(nil) == IdentityError(expected, claim: claim, ""))
            for wrong in [
                "", right + "=", String(right.dropLast()), right + "A", String(right.reversed()),
            ] {
                #expect(
                    try await refusal("\"\(wrong)\"") == IdentityError(expected, claim: claim, ""),
                    "\(wrong)"
                )
            }
            #expect(try await refusal("null") == IdentityError(expected, claim: claim, ""))
            #expect(try await refusal("1") == IdentityError(.claimInvalid, claim: claim, ""))
        }
    }

    @Test(
        "The hash is that of the token's algorithm",
        arguments: zip(
            SignatureAlgorithm.allCases,
            [256, 384, 512, 256, 384, 512, 256, 384, 512, 512, 512]))
    func everyAlgorithm(_ algorithm: SignatureAlgorithm, _ bits: Int) async throws {
        // Left halves of the hashes of "token", by another implementation.
        let hashes = [
            256: "PEaenWxYddN6Q_NT1PiOYQ", 384: "Cm6hANx1qgPTYYSWu3KFaieklEAsPkh3",
            512: "ImXaughy_DrvFp0Hk2XlkPDLyO1GwqeYTIpkKAPP2Ww",
        ]
        let fixture = try ProviderFixture(
            name: algorithm.name,
            provider: .openID(
                issuer: "https://idp.example", clientIDs: ["client-1"], algorithms: [algorithm]),
            key: .key(algorithm), claims: ProviderFixture.openID().claims)
        let verifier = try fixture.verifier()
        for (other, hash) in hashes {
            let token = try fixture.token(["at_hash": "\"\(hash)\""])
            let error = await reason { () async throws(IdentityError) in
                try await verifier.verify(token, accessToken: "token")
            }
            #expect(error?.code == (other == bits ? nil : .atHash), "\(algorithm) \(other)")
        }
    }

    @Test("auth_time is checked against max_age")
    func authenticationTime() async throws {
        let now = ProviderFixture.now
        func code(_ time: Int?, _ maximum: Duration?) async throws -> IdentityError.Code? {
            try await refusal(["auth_time": time.map(String.init)], maximumAge: maximum)?.code
        }
        #expect(try await code(nil, nil) == nil)
        #expect(try await code(nil, .seconds(3_600)) == .authTooOld)
        #expect(try await code(now - 3_600, .seconds(3_600)) == nil)
        #expect(try await code(now - 3_630, .seconds(3_600)) == nil, "the leeway")
        #expect(try await code(now - 3_631, .seconds(3_600)) == .authTooOld)
        #expect(try await code(now - 3_631, nil) == nil)
        #expect(try await code(now, .zero) == nil)
        #expect(try await code(now - 31, .zero) == .authTooOld)
        for maximum in [Duration.seconds(-100), .seconds(-5), .milliseconds(-1)] {
            #expect(try await code(now, maximum) == .authTooOld, "\(maximum)")
        }
        #expect(try await code(now, .seconds(Int64.max)) == nil)
        #expect(try await code(now, .seconds(Int64.min)) == .authTooOld)
        #expect(try await code(now + 30, nil) == nil)
        #expect(try await code(now + 31, nil) == .authTooOld)
        #expect(try await code(-9_007_199_254_740_992, .seconds(1)) == .authTooOld)
    }

    @Test("acr must be one of the requested values")
    func context() async throws {
        #expect(try await refusal([:], contexts: ["gold", "silver"]) == nil)
        #expect(try await refusal([:], contexts: ["gold"])?.code == .acr)
        #expect(try await refusal([:], contexts: ["Silver"])?.code == .acr)
        #expect(try await refusal(["acr": nil], contexts: ["silver"])?.code == .acr)
        #expect(try await refusal(["acr": #""""#], contexts: ["silver"])?.code == .acr)
        #expect(try await refusal(["acr": "null"], contexts: ["silver"])?.code == .acr)
        #expect(try await refusal(["acr": "1"], contexts: ["silver"])?.code == .claimInvalid)
    }

    @Test("iat is checked against the maximum age")
    func age() async throws {
        let fixture = try ProviderFixture.openID()
        var options = fixture.options()
        options.maximumAge = .seconds(300)
        let verifier = try IDTokenVerifier(
            fixture.provider, keys: .inHand(fixture.key.set), options: options)
        for (issued, expected) in [(1_799_999_670, nil), (1_799_999_669, .tooOld)]
            as [(Int, IdentityError.Code?)]
        {
            let token = try fixture.token(["iat": "\(issued)"])
            let error = await reason { () async throws(IdentityError) in
                try await verifier.verify(token)
            }
            #expect(error?.code == expected, "\(issued)")
        }
    }

    @Test("Printing shows no nonce")
    func redaction() {
        for nonce in [NonceExpectation.raw("top-secret"), .sha256Hex(of: "top-secret")] {
            var text = ""
            dump(nonce, to: &text)
            #expect(!"\(nonce) \(String(reflecting: nonce)) \(text)".contains("top-secret"))
        }
    }
}
