// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetSignIn
import TestSupport
import Testing

@Suite("Arbitrary texts", .serialized)
struct InputTests {
    /// Pieces that the readers look for, combined at random.
    private static let pieces = [
        "$", "scrypt", "argon2id", "v=19", "ln=17", "r=8", "p=1", "m=65536", "t=2", ",", "=", "A",
        "AAAAAAAAAAAAAAAAAAAAAAAAAA", ":", "::", ".", "1", "255", "ffff", "[", "]", "%", "/", ";",
        "for=", "For=\"", "\"", " ", "\t", "-", "_", "a", "é", "\u{0}", "\u{301}", "💥", "٣",
        "192.0.2.1", "10.0.0.1", "2001:db8::1", "123456", "99999999999999999999", "+1", "\u{200d}",
    ]

    @Test("No text crashes, and what is read is written the same")
    func anything() throws {
        var generator = SeededGenerator(seed: 19)
        let proxies = try TrustedProxies(["10.0.0.0/8", "::1"])
        let forwarded = try TrustedProxies(["10.0.0.0/8"], field: .forwarded)
        let totp = try TOTP()
        let time = NumericDate(secondsSince1970: 1_780_000_000)
        for _ in 0..<Effort.rounds(50_000) {
            let count = Int(generator.next() % 9)
            let text = (0..<count).map { _ in
                Self.pieces[Int(generator.next() % UInt64(Self.pieces.count))]
            }.joined()
            if let hash = try? PasswordHash(text) {
                #expect(hash.exposedText.utf8.elementsEqual(text.utf8))
            }
            if let name = try? Username(text) {
                #expect(name.text.utf8.elementsEqual(text.utf8))
                #expect(text.utf8.allSatisfy { $0 < 0x80 })
            }
            if let challenge = CodeChallenge(text) { #expect(challenge.text == text) }
            _ = ClientAddress(text)
            _ = RecoveryCode(text)
            _ = try? Password(text)
            _ = try? TrustedProxies([text])
            _ = try? totp.exposedAddress(issuer: text, account: text)
            #expect(try totp.step(of: text, at: time, after: .max) == nil)
            #expect(proxies.client(peer: "10.0.0.1", forwarded: [text, text]) != nil)
            #expect(forwarded.client(peer: "10.0.0.1", forwarded: [text]) != nil)
            // Anything to the left of what a proxy appended is ignored.
            #expect(
                forwarded.client(peer: "10.0.0.1", forwarded: [text + ", for=192.0.2.9"])
                    == ClientAddress("192.0.2.9"))
            #expect(
                proxies.client(peer: "10.0.0.1", forwarded: [text + ",192.0.2.9"])
                    == ClientAddress("192.0.2.9"))
        }
    }
}
