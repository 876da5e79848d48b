// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import TestSupport
import Testing

/// Tokens that a provider signs with the same keys, for the same client, and that sign no one in.
@Suite("Tokens that are not ID tokens")
struct OtherTokensTests {
    static let logout = #"{"http://schemas.openid.net/event/backchannel-logout":{}}"#

    @Test(
        "Logout tokens and security event tokens are refused",
        arguments: [logout, "{}", "[]", "false", #""{}""#])
    func events(_ events: String) async throws {
        let fixture = try ProviderFixture.openID()
        let verifier = try fixture.verifier()
        for header in [fixture.key.header, #"{"alg":"RS256","kid":"\#(fixture.key.keyID)"}"#] {
            let token = try fixture.token(["events": events, "nonce": nil], header: header)
            let error = await reason { () async throws(IdentityError) in
                try await verifier.verify(token)
            }
            #expect(error == IdentityError(.typeMismatch, claim: "events", ""))
        }
    }

    @Test("Events that are null count as absent")
    func noEvents() async throws {
        _ = try await ProviderFixture.openID().identity(["events": "null"])
    }

    /// A kind of token that an issuer writes: what it has beyond an ID token, and which claim
    /// reveals it.
    struct Kind: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let edits: [String: String?]
        /// By a profile of Entra, and by any other; nil where it is an ID token.
        let byEntra: String?
        let byOthers: String?

        init(
            _ name: String, _ edits: [String: String?], entra: String? = nil, others: String? = nil
        ) {
            testDescription = name
            self.edits = edits
            byEntra = entra
            byOthers = others
        }
    }

    static let client = "6731de76-14a6-49ae-97bc-6eba6914391e"
    static let stranger = "99999999-2222-3333-4444-555555555555"
    static let object = ProviderFixture.object

    static let kinds = [
        Kind("ID token", [:]),
        Kind(
            "Entra 1, an application's own, with idtyp",
            [
                "idtyp": #""app""#, "appid": "\"\(client)\"", "appidacr": #""1""#,
                "sub": "\"\(object)\"",
            ],
            entra: "idtyp"),
        Kind(
            "Entra 1, an application's own, without idtyp",
            [
                "appid": "\"\(client)\"", "appidacr": #""1""#, "sub": "\"\(object)\"",
                "roles": #"["a"]"#,
            ],
            entra: "appidacr"),
        Kind("Entra, an application's own, bare", ["sub": "\"\(object)\""], entra: "oid"),
        Kind(
            "Entra 1, on behalf of a person",
            ["scp": #""user_impersonation""#, "appid": "\"\(client)\""],
            entra: "scp"),
        Kind(
            "Entra 2, on behalf of a person", ["scp": #""read""#, "azpacr": #""1""#], entra: "scp"),
        Kind(
            "Entra 2, an application's own", ["azpacr": #""1""#, "roles": #"["a"]"#],
            entra: "azpacr"),
        Kind("Entra, a kind to come", ["idtyp": #""device""#], entra: "idtyp"),
        Kind("roles alone", ["roles": #"["a"]"#]),
        Kind(
            "claims of null",
            ["scp": "null", "idtyp": "null", "appidacr": "null", "azpacr": "null"]),
        Kind("Keycloak's access token", ["typ": #""Bearer""#], others: "typ"),
        Kind("Keycloak's access token with DPoP", ["typ": #""DPoP""#], others: "typ"),
        Kind("Keycloak's refresh token", ["typ": #""Refresh""#], others: "typ"),
        Kind("Keycloak's offline token", ["typ": #""Offline""#], others: "typ"),
        Kind("Keycloak's logout token", ["typ": #""Logout""#], others: "typ"),
        Kind("Keycloak's ID token", ["typ": #""ID""#]),
        Kind("a typ of another meaning", ["typ": "7", "token_use": #"["access"]"#]),
        Kind("Cognito's access token", ["token_use": #""access""#], others: "token_use"),
        Kind("Cognito's ID token", ["token_use": #""id""#]),
    ]

    @Test(
        "Every profile accepts only ID tokens", arguments: kinds,
        try ProviderFixture.all().filter { !$0.namesKind })
    func everyProfile(_ kind: Kind, _ fixture: ProviderFixture) async throws {
        var edits = kind.edits
        let isEntra = fixture.name.hasPrefix("entra")
        // Others have rules of their own for the subject.
        if !isEntra { edits.removeValue(forKey: "sub") }
        let token = try fixture.token(edits)
        let verifier = try fixture.verifier()
        let error = await reason { () async throws(IdentityError) in
            try await verifier.verify(token, nonce: fixture.nonce)
        }
        if fixture.name == "openid", kind.edits["scp"] != nil, kind.edits["appid"] != nil {
            // Of an unknown provider: without a nonce, the client beside a scope must be accepted.
            #expect(error == IdentityError(.azp, claim: "appid", ""))
            return
        }
        let claim = isEntra ? kind.byEntra : kind.byOthers
        #expect(error?.code == (claim == nil ? nil : .typeMismatch), "\(String(describing: error))")
        #expect(error?.claim == claim)
    }

    @Test(
        "Entra's version 1 names the client in \"appid\", which must be an accepted one"
    )
    func versionOne() async throws {
        var fixture = try ProviderFixture.entra()
        let tenant = ProviderFixture.tenant
        fixture = try ProviderFixture(
            name: "entra 1",
            provider: .entra(
                tenants: .only(tenant), clientIDs: [Self.client], acceptsVersion1: true),
            key: .rsa,
            claims: fixture.claims.changing([
                "ver": #""1.0""#, "iss": "\"https://sts.windows.net/\(tenant)/\"",
            ]))
        #expect(try await fixture.identity().authorizedParty == nil)
        #expect(
            try await fixture.identity(["appid": "\"\(Self.client)\""]).authorizedParty
                == Self.client)
        let cases = [
            ["appid": "\"\(Self.stranger)\""],
            ["azp": "\"\(Self.client)\"", "appid": "\"\(Self.stranger)\""],
            ["appid": "\"\(Self.client)\"", "azp": "\"\(Self.stranger)\""],
        ]
        let verifier = try fixture.verifier()
        for edits in cases {
            let token = try fixture.token(edits)
            let error = await reason { () async throws(IdentityError) in
                try await verifier.verify(token)
            }
            #expect(error?.code == .azp, "\(edits)")
        }
        // Elsewhere the claim has no meaning.
        _ = try await ProviderFixture.openID().identity(["appid": "\"\(Self.stranger)\""])
    }
}
