// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import TestSupport

private let fields = TokenSource.documentation("https://supabase.com/docs/guides/auth/jwt-fields")
private let issuer = "https://abcdefghijklmnopqrst.supabase.co/auth/v1"

extension ProviderFixture {
    /// The access token is what says who signed in: there is no other.
    static func supabase() throws -> ProviderFixture {
        try ProviderFixture(
            name: "supabase", provider: .supabase(projectRef: "abcdefghijklmnopqrst"), key: .ec,
            claims: .issued(
                #"""
                {"iss": "\#(issuer)", "aud": "authenticated", "role": "authenticated", "sub": "\#(user)",
                 "session_id": "\#(otherTenant)", "email": "alice@corp.example", "phone": "", "aal": "aal1",
                 "amr": ["password", {"method": "otp", "timestamp": 1799999940}], "is_anonymous": false,
                 "app_metadata": {"provider": "email"},
                 "user_metadata": {"email": "boss@corp.example", "email_verified": true}}
                """#),
            source: fields)
    }
}

extension AccessTokenFixture {
    static func supabase() throws -> AccessTokenFixture {
        try AccessTokenFixture(
            name: "supabase", profile: .supabase(projectRef: "abcdefghijklmnopqrst"),
            source: fields,
            claims: ProviderFixture.supabase().claims, roles: ["authenticated"],
            others: [
                ClaimCase("anon", ["aud": #""anon""#], .audienceMissing, "aud"),
                ClaimCase("no person", ["sub": #""service""#], .subject, "sub"),
            ])
    }
}

extension ProviderTokens {
    static func supabase() throws -> ProviderTokens {
        let oauthServer = TokenSource.documentation(
            "https://supabase.com/docs/guides/auth/oauth-server/token-security")
        let third = "9a8b7c6d-5e4f-3a2b-1c0d-9e8f7a6b5c4d"
        return try ProviderTokens(
            "supabase", signIn: .supabase(), api: .supabase(),
            [
                IssuedToken(
                    kind: "access token of a third party", source: oauthServer,
                    claims: ProviderFixture.supabase().claims.changing(["client_id": "\"\(third)\""]
                    ),
                    signIn: .refused(.azp, "client_id"), api: .refused(.azp, "client_id")),
                IssuedToken(
                    kind: "ID token for a third party",
                    source: .library(
                        "https://github.com/supabase/auth/blob/master/internal/tokens/service.go"),
                    claims: .issued(
                        #"""
                        {"iss": "\#(issuer)", "aud": "\#(third)", "sub": "\#(ProviderFixture.user)",
                         "client_id": "\#(third)", "auth_time": 1799999940, "email": "alice@corp.example",
                         "email_verified": true, "phone_number_verified": false, "nonce": "n"}
                        """#),
                    signIn: .refused(.audienceMissing, "aud"),
                    api: .refused(.audienceMissing, "aud")),
                IssuedToken(
                    kind: "anon key", source: fields,
                    claims: .issued(
                        #"{"iss": "supabase", "ref": "abcdefghijklmnopqrst", "role": "anon"}"#),
                    signIn: .refused(.issuer, "iss"), api: .refused(.issuer, "iss")),
                IssuedToken(
                    kind: "service role key", source: fields,
                    claims: .issued(
                        #"{"iss": "supabase", "ref": "abcdefghijklmnopqrst", "role": "service_role"}"#
                    ),
                    signIn: .refused(.issuer, "iss"), api: .refused(.issuer, "iss")),
            ])
    }
}
