// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetSessionTokens
import TestSupport
import Testing

@Suite("The settings of a website with Auth.js")
struct AuthJSConfigurationTests {
    private func refusal(
        _ version: AuthJSSessions.Version = .v5, secrets: [String] = [AuthJSFigures.secret],
        cookieName: AuthJSSessions.CookieName = .secure,
        secretLength: AuthJSSessions.SecretLength = .atLeast32Bytes
    ) -> IdentityConfigurationError.Code? {
        configurationRefusal {
            try AuthJSSessions(
                version, secrets: secrets, cookieName: cookieName, secretLength: secretLength,
                clock: .still)
        }
    }

    @Test("A secret has 32 to 4,096 bytes, or 1 to 4,096 where that is asked for by name")
    func lengths() {
        for (count, code) in [
            (0, .invalidSecret), (1, .invalidSecret), (31, .invalidSecret), (32, nil), (4_096, nil),
            (4_097, .invalidSecret),
        ] as [(Int, IdentityConfigurationError.Code?)] {
            let secret = String(repeating: "s", count: count)
            #expect(refusal(secrets: [secret]) == code)
            #expect(refusal(secrets: [AuthJSFigures.secret, secret]) == code)
            let isUsable = (1...4_096).contains(count)
            #expect(
                (refusal(secrets: [secret], secretLength: .notChecked) == nil) == isUsable)
        }
    }

    @Test("There are one to four secrets, in version 4 one")
    func numbers() {
        #expect(refusal(secrets: []) == .invalidSecret)
        let secret = AuthJSFigures.secret
        #expect(refusal(secrets: [secret, secret, secret, secret]) == nil)
        #expect(refusal(secrets: [secret, secret, secret, secret, secret]) == .invalidSecret)
        #expect(refusal(.v4) == nil)
        #expect(refusal(.v4, secrets: [secret, AuthJSFigures.newerSecret]) == .contradiction)
    }

    @Test("An error about no secret names the variable to set")
    func noSecret() {
        let error = #expect(throws: IdentityConfigurationError.self) {
            try AuthJSSessions(
                .v5, secrets: AuthJSSessions.secrets(environment: [:]), clock: .still)
        }
        #expect(error?.message.contains("set AUTH_SECRET in the environment") == true)
    }

    @Test("No error tells a secret or its length")
    func messages() {
        let error = #expect(throws: IdentityConfigurationError.self) {
            try AuthJSSessions(.v5, secrets: ["hunter2-hunter2-hunter2"], clock: .still)
        }
        #expect(error.map { "\($0)".contains("hunter2") || "\($0)".contains("23") } == false)
    }

    @Test("A name is one that a cookie may have")
    func names() {
        for name in ["a", "__Host-site.session", String(repeating: "a", count: 128)] {
            #expect(refusal(cookieName: .custom(name)) == nil)
        }
        for name in [
            "", "a b", "a=b", "a;b", "a,b", "ä", "a\n", String(repeating: "a", count: 129),
        ] {
            #expect(refusal(cookieName: .custom(name)) == .invalidIdentifier)
        }
    }

    @Test(
        "The defaults are Auth.js's names",
        arguments: [
            (
                AuthJSSessions.Version.v5, AuthJSSessions.CookieName.secure,
                "__Secure-authjs.session-token"
            ),
            (.v5, .unencrypted, "authjs.session-token"),
            (.v4, .secure, "__Secure-next-auth.session-token"),
            (.v4, .unencrypted, "next-auth.session-token"),
        ])
    func defaults(
        _ version: AuthJSSessions.Version, _ cookieName: AuthJSSessions.CookieName, _ name: String
    ) throws {
        let sessions = try AuthJSSessions(
            version, secrets: [AuthJSFigures.secret], cookieName: cookieName, clock: .still)
        #expect(sessions.cookieName == name)
    }

    @Test("The environment's secrets come in Auth.js's order, without empty ones")
    func environment() {
        #expect(
            AuthJSSessions.secrets(environment: [
                "AUTH_SECRET": "a", "AUTH_SECRET_1": "b", "AUTH_SECRET_2": "",
                "AUTH_SECRET_3": "d", "AUTH_SECRET_4": "e", "PATH": "/bin",
            ]) == ["d", "b", "a"])
        #expect(AuthJSSessions.secrets(environment: [:]).isEmpty)
    }
}
