// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetEmail
import SignetIdentity
import SignetJOSE
import Testing

/// A provider, the key that it signs with, and the claims of a token as it writes them.
struct ProviderFixture: Sendable, CustomTestStringConvertible {
    let name: String
    let provider: IdentityProvider
    let key: ProviderKey
    let claims: TestClaimSet
    var nonce = NonceExpectation.none

    static let now = 1_800_000_000
    static let times = (issued: "1799999940", expires: "1800003540")

    var testDescription: String { name }

    func options(at now: Int = now) -> TokenVerificationOptions {
        var options = TokenVerificationOptions()
        options.clock = .fixed(secondsSince1970: Double(now))
        return options
    }

    func verifier(at now: Int = now, keys: KeySet? = nil) throws -> IDTokenVerifier {
        try IDTokenVerifier(provider, keys: keys ?? key.set, options: options(at: now))
    }

    func token(_ edits: [String: String?] = [:], header: String? = nil) throws -> String {
        try key.token(claims.changing(edits).json, header: header)
    }

    func identity(_ edits: [String: String?] = [:], at now: Int = now) async throws -> VerifiedIdentity {
        try await verifier(at: now).verify(token(edits), nonce: nonce)
    }

    /// With other choices of the program's.
    func with(_ change: (inout IdentityProvider) -> Void) -> ProviderFixture {
        var provider = provider
        change(&provider)
        return ProviderFixture(name: name, provider: provider, key: key, claims: claims, nonce: nonce)
    }

    /// Verifies a changed token and holds the outcome against the case.
    func check(_ one: ClaimCase, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let verifier = try verifier()
        let token = try token(one.edits)
        let error = await reason { () async throws(IdentityError) in
            try await verifier.verify(token, nonce: nonce)
        }
        #expect(
            error?.code == one.code, "\(name), \(one.name): \(error?.description ?? "accepted")",
            sourceLocation: sourceLocation)
        if let claim = one.claim {
            #expect(error?.claim == claim, "\(name), \(one.name)", sourceLocation: sourceLocation)
        }
    }

    /// A fixture of the provider, or the reason why there is none: an expectation that fails is better than a trap.
    static func all() throws -> [ProviderFixture] {
        try [
            google(), apple(), entra(), entraExternalID(), supabase(), firebase(), auth0(), openID(),
        ] + presets()
    }

    static func google() throws -> ProviderFixture {
        try ProviderFixture(
            name: "google",
            provider: .google(clientIDs: ["web.apps.example", "ios.apps.example"]), key: .rsa,
            claims: [
                "iss": #""https://accounts.google.com""#, "azp": #""ios.apps.example""#,
                "aud": #""web.apps.example""#, "sub": #""110169484474386276334""#, "hd": #""corp.example""#,
                "email": #""alice@corp.example""#, "email_verified": "true", "name": #""Alice""#,
                "picture": #""https://pictures.example/a""#, "nonce": #""made-by-the-sdk""#,
                "iat": times.issued, "exp": times.expires,
            ])
    }

    static func apple() throws -> ProviderFixture {
        try ProviderFixture(
            name: "apple", provider: .apple(clientIDs: ["eg.Kinnect.auth", "eg.Kinnect"]), key: .rsa,
            claims: [
                "iss": #""https://appleid.apple.com""#, "aud": #""eg.Kinnect""#,
                "sub": #""001234.0123456789abcdef0123456789abcdef.1234""#,
                // SHA-256 of "raw-nonce", by another implementation.
                "nonce": #""2c5d107938053a2275f022c153c9a71f65ee07754b8bca543ee97a0c3cc66990""#,
                "nonce_supported": "true", "email": #""x1@privaterelay.appleid.com""#,
                "email_verified": #""true""#, "is_private_email": #""true""#, "real_user_status": "7",
                "auth_time": times.issued, "iat": times.issued, "exp": times.expires,
            ], nonce: .sha256Hex(of: "raw-nonce"))
    }

    static let tenant = "72f988bf-86f1-41af-91ab-2d7cd011db47"
    static let otherTenant = "11111111-2222-3333-4444-555555555555"
    static let object = "00000000-0000-0000-66f3-3332eca7ea81"

    static func entra() throws -> ProviderFixture {
        try ProviderFixture(
            name: "entra",
            provider: .entra(tenants: .only(tenant), clientIDs: ["6731de76-14a6-49ae-97bc-6eba6914391e"]),
            key: .rsa, claims: entraClaims("https://login.microsoftonline.com/\(tenant)/v2.0"))
    }

    static func entraExternalID() throws -> ProviderFixture {
        try ProviderFixture(
            name: "entra external",
            provider: .entraExternalID(
                tenantID: tenant, clientIDs: ["6731de76-14a6-49ae-97bc-6eba6914391e"]),
            key: .rsa, claims: entraClaims("https://\(tenant).ciamlogin.com/\(tenant)/v2.0"))
    }

    private static func entraClaims(_ issuer: String) -> TestClaimSet {
        [
            "ver": #""2.0""#, "iss": "\"\(issuer)\"", "aud": #""6731de76-14a6-49ae-97bc-6eba6914391e""#,
            "sub": #""AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ""#, "tid": "\"\(tenant)\"",
            "oid": "\"\(object)\"", "name": #""Alice""#, "email": #""alice@corp.example""#,
            "preferred_username": #""alice@corp.example""#, "nbf": times.issued, "iat": times.issued,
            "exp": times.expires,
        ]
    }

    static let user = "8d1f9a51-6c1e-4f9e-9f1a-2f6a3c1b7e55"

    static func supabase() throws -> ProviderFixture {
        try ProviderFixture(
            name: "supabase", provider: .supabase(projectRef: "abcdefghijklmnopqrst"), key: .ec,
            claims: supabaseClaims)
    }

    static let supabaseClaims: TestClaimSet = [
        "iss": #""https://abcdefghijklmnopqrst.supabase.co/auth/v1""#, "aud": #""authenticated""#,
        "role": #""authenticated""#, "sub": "\"\(user)\"", "session_id": "\"\(otherTenant)\"",
        "email": #""alice@corp.example""#, "phone": #""""#, "aal": #""aal1""#,
        "amr": #"["password",{"method":"otp","timestamp":1799999940}]"#, "is_anonymous": "false",
        "app_metadata": #"{"provider":"email"}"#,
        "user_metadata": #"{"email":"boss@corp.example","email_verified":true}"#, "iat": times.issued,
        "exp": times.expires,
    ]

    static func firebase() throws -> ProviderFixture {
        try ProviderFixture(
            name: "firebase", provider: .firebase(projectID: "my-project-1"), key: .rsa,
            claims: [
                "iss": #""https://securetoken.google.com/my-project-1""#, "aud": #""my-project-1""#,
                "auth_time": times.issued, "sub": #""AbCdEf0123456789""#, "user_id": #""AbCdEf0123456789""#,
                "email": #""alice@corp.example""#, "email_verified": "true",
                "firebase": #"{"identities":{},"sign_in_provider":"password"}"#, "iat": times.issued,
                "exp": times.expires,
            ])
    }

    static func auth0() throws -> ProviderFixture {
        try ProviderFixture(
            name: "auth0", provider: .auth0(domain: "tenant.eu.auth0.example", clientIDs: ["client-1"]),
            key: .rsa,
            claims: [
                "iss": #""https://tenant.eu.auth0.example/""#, "aud": #""client-1""#,
                "sub": #""auth0|5f7c8ec7c33c6c004bbafe82""#, "email": #""alice@corp.example""#,
                "email_verified": "true", "nonce": #""n-1""#, "iat": times.issued, "exp": times.expires,
            ], nonce: .raw("n-1"))
    }

    static func openID() throws -> ProviderFixture {
        try ProviderFixture(
            name: "openid", provider: .openID(issuer: "https://idp.example", clientIDs: ["client-1"]),
            key: .rsa,
            claims: [
                "iss": #""https://idp.example""#, "aud": #"["client-1"]"#, "sub": #""u1""#,
                "email": #""alice@corp.example""#, "email_verified": "true", "acr": #""silver""#,
                "iat": times.issued, "exp": times.expires,
            ])
    }
}
