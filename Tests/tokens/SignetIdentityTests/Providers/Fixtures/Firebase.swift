// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import TestSupport

private let mocks = TokenSource.library(
    "https://github.com/firebase/firebase-admin-node/blob/master/test/resources/mocks.ts")

extension ProviderFixture {
    static func firebase() throws -> ProviderFixture {
        try ProviderFixture(
            name: "firebase", provider: .firebase(projectID: "my-project-1"), key: .rsa,
            claims: .issued(
                #"""
                {"iss": "https://securetoken.google.com/my-project-1", "aud": "my-project-1",
                 "auth_time": 1799999940, "sub": "AbCdEf0123456789", "user_id": "AbCdEf0123456789",
                 "email": "alice@corp.example", "email_verified": true,
                 "firebase": {"identities": {"email": ["alice@corp.example"]}, "sign_in_provider": "password"}}
                """#),
            source: .documentation("https://firebase.google.com/docs/auth/admin/verify-id-tokens"))
    }
}

extension ProviderTokens {
    static func firebase() throws -> ProviderTokens {
        try ProviderTokens(
            "firebase", signIn: .firebase(),
            [
                IssuedToken(
                    kind: "session cookie",
                    source: .documentation(
                        "https://firebase.google.com/docs/auth/admin/manage-cookies"),
                    claims: ProviderFixture.firebase().claims.changing([
                        "iss": #""https://session.firebase.google.com/my-project-1""#
                    ]),
                    signIn: .refused(.issuer, "iss")),
                IssuedToken(
                    kind: "custom token", source: mocks,
                    claims: .issued(
                        #"""
                        {"iss": "robot@my-project-1.iam.gserviceaccount.com", "uid": "AbCdEf0123456789",
                         "sub": "robot@my-project-1.iam.gserviceaccount.com",
                         "aud": "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"}
                        """#),
                    signIn: .refused(.issuer, "iss")),
                IssuedToken(
                    kind: "App Check token", source: .knowledge,
                    claims: .issued(
                        #"""
                        {"iss": "https://firebaseappcheck.googleapis.com/123456", "sub": "1:123456:web:abc",
                         "aud": ["projects/123456", "projects/my-project-1"]}
                        """#),
                    signIn: .refused(.issuer, "iss")),
            ])
    }
}
