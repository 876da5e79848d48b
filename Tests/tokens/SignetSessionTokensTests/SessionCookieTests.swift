// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE
import SignetSessionTokens
import TestSupport
import Testing

@Suite("The cookie of a session")
struct SessionCookieTests {
    @Test(
        "No script, other host or other site's form can use the cookie, and it ends with the token")
    func attributes() throws {
        let key = try HMACKey(
            secret: SecretKey(copying: [UInt8](repeating: 7, count: 32)), algorithm: .hs256,
            keyID: "test")
        let issuer = try SessionTokenIssuer(
            issuer: "https://api.example", audience: "session", keys: SessionKeyRing(key),
            lifetime: .seconds(3600), clock: .still)
        let (cookie, issued) = (try SessionCookie(), try issuer.issue(subject: "ann"))
        #expect(
            cookie.setting(issued)
                == "__Host-session=\(issued.token); Path=/; Secure; HttpOnly; SameSite=Lax; "
                + "Max-Age=3600")
        #expect(
            cookie.clearing
                == "__Host-session=; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=0")
    }

    @Test(
        "A cookie name that would forge another cookie or line is refused",
        arguments: [
            "session", "__Secure-session", "__host-session", "__Host-", "__Host-a b", "__Host-a;b",
            "__Host-a=b", "__Host-a\r\nSet-Cookie: b=c", "__Host-é",
            "__Host-" + String(repeating: "a", count: 65),
        ])
    func names(_ name: String) {
        #expect(throws: IdentityConfigurationError(.invalidIdentifier, "")) {
            try SessionCookie(name: name)
        }
    }
}
