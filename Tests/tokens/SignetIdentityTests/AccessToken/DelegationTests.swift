// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import SignetJOSE
import TestSupport
import Testing

@Suite("Actors and authorization details of access tokens (RFC 8693, RFC 9396)")
struct DelegationTests {
    private func token(_ edits: [String: String?]) async throws -> VerifiedAccessToken {
        let verifier = try AccessTokenVerifier(
            .rfc9068(issuer: "https://idp.example", resources: ["https://api.example"]),
            keys: .inHand(ProviderKey.rsa.set), options: ProviderFixture.openID().options())
        return try await verifier.verify(
            ProviderKey.rsa.token(
                AccessTokenTests.claims.changing(edits).json, header: AccessTokenTests.header))
    }

    @Test("They are typed; absent and null are the same")
    func typed() async throws {
        let token = try await token([
            "act":
                #"{"sub":"s1","iss":"https://a.example","x":1,"act":{"sub":"s2","act":{"c":"d"}}}"#,
            "may_act": #"{"sub":"m"}"#,
            "authorization_details":
                #"[{"type":"payment","actions":["pay"],"limit":5},{"type":"log"}]"#,
        ])
        let actor = try #require(token.actor)
        #expect(actor.subject == "s1" && actor.issuer == "https://a.example")
        #expect(actor.earlier.map(\.subject) == ["s2", nil])
        #expect(actor.earlier.allSatisfy { $0.earlier.isEmpty })
        #expect(token.permittedActor?.subject == "m" && token.permittedActor?.issuer == nil)
        #expect(token.authorizationDetails.map(\.type) == ["payment", "log"])
        #expect(
            token.authorizationDetails.first?.members == [
                "type": "payment", "actions": ["pay"], "limit": 5,
            ])
        for value in [nil, "null"] {
            let plain = try await self.token([
                "act": value, "may_act": value, "authorization_details": value,
            ])
            #expect(plain.actor == nil && plain.permittedActor == nil)
            #expect(plain.authorizationDetails.isEmpty)
        }
        #expect(try await self.token(["authorization_details": "[]"]).authorizationDetails.isEmpty)
        // An actor that the issuer did not name is one all the same.
        #expect(try await self.token(["act": "{}"]).actor?.subject == nil)
        #expect(try await self.token(["act": "{}"]).actor != nil)
    }

    @Test(
        "A malformed one refuses the token",
        arguments: [
            ("act", #""s1""#), ("act", "[]"), ("act", "true"), ("act", #"{"sub":1}"#),
            ("act", #"{"sub":""}"#), ("act", #"{"iss":[]}"#), ("act", #"{"act":"s"}"#),
            ("act", #"{"sub":"s","act":{"sub":1}}"#), ("may_act", #""m""#),
            ("may_act", #"[{"sub":"m"}]"#), ("may_act", #"{"sub":{}}"#),
            ("authorization_details", "{}"), ("authorization_details", #""x""#),
            ("authorization_details", "[[]]"), ("authorization_details", "[null]"),
            ("authorization_details", #"[{"actions":[]}]"#),
            ("authorization_details", #"[{"type":1}]"#),
            ("authorization_details", #"[{"type":""}]"#),
            ("authorization_details", #"[{"type":"a"},{"type":null}]"#),
            ("authorization_details", #"[{"type":"a","limit":1e999}]"#),
        ])
    func malformed(_ claim: String, _ value: String) async throws {
        let error = await #expect(throws: IdentityError.self) { try await token([claim: value]) }
        #expect(error == IdentityError(.claimInvalid, claim: claim, ""), "\(value)")
        #expect(error.map { HTTPRefusal($0) } == .invalidToken)
    }

    @Test("The depth of a token's JSON bounds its actors")
    func deep() async throws {
        func nested(_ depth: Int) -> String {
            String(repeating: #"{"act":"#, count: depth - 1) + "{}"
                + String(repeating: "}", count: depth - 1)
        }
        #expect(try await token(["act": nested(31)]).actor?.earlier.count == 30)
        let error = await #expect(throws: IdentityError.self) {
            try await token(["act": nested(32)])
        }
        #expect(error?.code == .malformed)
    }
}
