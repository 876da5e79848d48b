// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetEmail
import SignetIdentity
import SignetJOSE
import TestSupport
import Testing

@Suite("Firebase")
struct FirebaseTests {
    @Test(
        "A token that breaks a rule is refused",
        arguments: [
            ClaimCase("auth_time missing", ["auth_time": nil], .authTooOld, "auth_time"),
            ClaimCase(
                "auth_time in the future", ["auth_time": "1800000031"], .authTooOld, "auth_time"),
            ClaimCase(
                "sub of 129 bytes", ["sub": "\"\(String(repeating: "a", count: 129))\""], .subject,
                "sub"),
            ClaimCase(
                good: "sub of 128 bytes", ["sub": "\"\(String(repeating: "a", count: 128))\""]),
            ClaimCase(good: "sub of 1 byte", ["sub": #""a""#]),
            ClaimCase(
                "another project in both places",
                [
                    "iss": #""https://securetoken.google.com/other-project""#,
                    "aud": #""other-project""#,
                ],
                .issuer, "iss"),
            ClaimCase(
                "another project in aud", ["aud": #""other-project""#], .audienceMissing, "aud"),
            ClaimCase("a part of the project", ["aud": #""my-project""#], .audienceMissing, "aud"),
            ClaimCase(
                "the project in a longer text", ["aud": #""x-my-project-1""#], .audienceMissing,
                "aud"),
            ClaimCase(
                "another project in iss",
                ["iss": #""https://securetoken.google.com/other-project""#],
                .issuer, "iss"),
            ClaimCase(
                "a session cookie", ["iss": #""https://session.firebase.google.com/my-project-1""#],
                .issuer,
                "iss"),
        ])
    func rules(_ one: ClaimCase) async throws { try await ProviderFixture.firebase().check(one) }

    @Test("The emulator's unsigned tokens are refused")
    func emulator() async throws {
        let fixture = try ProviderFixture.firebase()
        let verifier = try fixture.verifier()
        let parts = try fixture.token([:], header: #"{"alg":"none","typ":"JWT"}"#).split(
            separator: ".")
        for token in ["\(parts[0]).\(parts[1]).", parts.joined(separator: ".")] {
            #expect(
                await reason { () async throws(IdentityError) in try await verifier.verify(token) }?
                    .code
                    == .unsupportedAlg)
        }
        #expect(try await fixture.identity().email.evidence == .verifiedAddress)
        #expect(try await fixture.identity(["email_verified": "false"]).email.evidence == .none)
    }
}
