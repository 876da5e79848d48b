// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetEmail
import SignetIdentity
import TestSupport
import Testing

/// Every optional claim in shapes that its standard does not have: a claim that decides nothing
/// refuses no token, and `null` is absent (review/identity.md, H1).
@Suite("Odd shapes of optional claims")
struct OddShapeTests {
    static let shapes = [
        "null", #""""#, #""text""#, "7", "-1.5e3", "true", "[]", #"["a"]"#, "{}", #"{"a":1}"#,
    ]

    @Test(
        "A claim that is only shown never refuses a token",
        arguments: try EveryProviderTests.fixtures.get())
    func shown(_ fixture: ProviderFixture) async throws {
        var names = [
            "name", "picture", "email", "email_verified", "is_private_email", "xms_edov", "acr",
            "amr",
            "at_hash", "c_hash", "hd", "groups", "locale", "typ", "token_use", "sid",
        ]
        if !fixture.name.hasPrefix("entra") { names += ["tid", "oid", "appid", "scp", "idtyp"] }
        if fixture.name != "firebase" { names.append("auth_time") }
        // What tells the kind of a token there.
        let kinds = ["cognito": "token_use", "keycloak": "typ", "azure b2c": "scp"]
        names.removeAll { $0 == kinds[fixture.name] }
        for name in names {
            for shape in Self.shapes {
                try await fixture.check(ClaimCase(good: "\(name) \(shape)", [name: shape]))
            }
        }
    }

    @Test(
        "A claim that is not text shows as absent", arguments: ["null", "7", "true", "[]", "{}"])
    func none(_ shape: String) async throws {
        for fixture in try EveryProviderTests.fixtures.get() {
            let identity = try await fixture.identity([
                "name": shape, "picture": shape, "email": shape, "acr": shape,
            ])
            #expect(identity.name == nil && identity.picture == nil, "\(fixture.name)")
            #expect(
                identity.email.address == nil && identity.email.evidence == .none, "\(fixture.name)"
            )
            #expect(identity.authenticationContext == nil, "\(fixture.name)")
        }
    }

    @Test("For a claim that decides, null is absent and another type is refused")
    func believed() async throws {
        for fixture in try EveryProviderTests.fixtures.get() {
            let isEntra = fixture.name.hasPrefix("entra")
            for name in isEntra ? ["azp", "appid"] : ["azp"] {
                try await fixture.check(ClaimCase(good: "\(name) null", [name: "null"]))
                for shape in Self.shapes where shape != "null" {
                    let code: IdentityError.Code = shape.hasPrefix("\"") ? .azp : .claimInvalid
                    try await fixture.check(
                        ClaimCase("\(name) \(shape)", [name: shape], code, name))
                }
            }
            for name in ["nbf", "jti"] {
                try await fixture.check(ClaimCase(good: "\(name) null", [name: "null"]))
                for shape in ["[]", "{}", "true"] {
                    try await fixture.check(
                        ClaimCase("\(name) \(shape)", [name: shape], .claimInvalid, name))
                }
            }
            if isEntra {
                try await fixture.check(ClaimCase("tid null", ["tid": "null"], .tenant, "tid"))
                try await fixture.check(ClaimCase("tid 7", ["tid": "7"], .claimInvalid, "tid"))
                try await fixture.check(
                    ClaimCase("oid null", ["oid": "null"], .claimMissing, "oid"))
            }
        }
        try await ProviderFixture.firebase().check(
            ClaimCase("auth_time null", ["auth_time": "null"], .authTooOld, "auth_time"))
        try await ProviderFixture.firebase().check(
            ClaimCase("auth_time a text", ["auth_time": #""1""#], .claimInvalid, "auth_time"))
    }

    @Test("A nonce that is null or empty counts as absent")
    func nonce() async throws {
        let asking = ["apple", "auth0"]
        for fixture in try EveryProviderTests.fixtures.get() where !asking.contains(fixture.name) {
            for shape in ["null", #""""#] {
                try await fixture.check(ClaimCase(good: "nonce \(shape)", ["nonce": shape]))
            }
            for shape in ["7", "[]", "{}", "true"] {
                try await fixture.check(
                    ClaimCase("nonce \(shape)", ["nonce": shape], .claimInvalid, "nonce"))
            }
        }
        let apple = try ProviderFixture.apple()
        try await apple.check(
            ClaimCase("sent, and null", ["nonce": "null"], .nonceMissing, "nonce"))
        try await apple.check(
            ClaimCase("sent, and empty", ["nonce": #""""#], .nonceMismatch, "nonce"))
    }

    @Test("Accepted values must be present, text, and equal byte for byte")
    func acceptedValues() async throws {
        for fixture in try EveryProviderTests.fixtures.get() {
            let asking = fixture.with { $0.acceptedValues = ["x": ["é", "b"], "y": ["1"]] }
            try await asking.check(ClaimCase(good: "both", ["x": #""b""#, "y": #""1""#]))
            try await asking.check(ClaimCase("missing", ["y": #""1""#], .claimMissing, "x"))
            try await asking.check(
                ClaimCase("null", ["x": "null", "y": #""1""#], .claimMissing, "x"))
            try await asking.check(
                ClaimCase("a number", ["x": #""b""#, "y": "1"], .claimInvalid, "y"))
            try await asking.check(
                ClaimCase(
                    "composed otherwise", ["x": #""e\u0301""#, "y": #""1""#], .valueNotAccepted, "x"
                ))
            try await asking.check(
                ClaimCase("a list of it", ["x": #"["b"]"#, "y": #""1""#], .claimInvalid, "x"))
        }
        var provider = try ProviderFixture.openID().provider
        for wrong in [["": ["a"]], ["a": []]] {
            provider.acceptedValues = wrong
            #expect(throws: IdentityConfigurationError.self) {
                try IDTokenVerifier(
                    provider, keys: .inHand(ProviderFixture.openID().key.set), options: .still)
            }
        }
    }
}
