// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import TestSupport
import Testing

@Suite("PEM as settings, shells and environment files leave it")
struct PEMLayoutTests {
    @Test(
        "Lost, blank, written-out and quoted line ends do not matter", arguments: PEMTests.readable)
    func oneLine(_ pem: String) throws {
        let wanted = try JWK(pem: pem).thumbprint()
        let lines = pem.split(separator: "\n")
        let written = lines.joined(separator: "\\n")
        for text in [
            lines.joined(), lines.joined(separator: " "), lines.joined(separator: "\t"),
            lines.joined(separator: "  ") + " ", " " + lines.joined(separator: " ") + "\n",
            "\"\(pem)\"", "\"\(written)\"", "'\(written)'", "\"\(written)\\n\"\n",
            "\"\(lines.joined(separator: "\\r\\n"))\"", "\"\(lines.joined(separator: " "))\"",
            " \"\(written)\",", "\u{feff}\"\(written)\"", "first line\n" + lines.joined(),
            lines.joined(separator: " ") + " trailing words",
        ] {
            #expect(try JWK(pem: text).thumbprint() == wanted, "\(text.prefix(40))")
        }
    }

    @Test("Two keys are two keys, wherever their line ends are")
    func twoKeys() throws {
        let first = TestPublicPEM.p256.split(separator: "\n")
        let second = TestPublicPEM.ed25519.split(separator: "\n")
        for separator in ["", " ", "\\n", "\"", "\" \"", " and ", "\t", "\n"] {
            for lineEnd in ["", " ", "\\n", "\n"] {
                let text =
                    first.joined(separator: lineEnd) + separator + second.joined(separator: lineEnd)
                #expect(keyRefusal { try JWK(pem: text) }?.code == .malformed, "\(separator)")
            }
        }
    }

    @Test("A key and its parameters or its certificate may share a line")
    func keyAndCertificate() throws {
        let text = TestPrivatePEM.p256SEC1.split(separator: "\n").joined(separator: " ")
        #expect(try JWK(pem: text).isPrivate)
        let certificate = TestCertificatePEM.ed25519.split(separator: "\n").joined(separator: " ")
        #expect(try !JWK(pem: certificate).isPrivate)
        // It is for another key.
        #expect(
            keyRefusal { try JWK(pem: certificate + TestPublicPEM.p256) }?.code
                == .invalidKeyMaterial)
    }

    @Test("A block behind other text in its line is not taken, and the message says so")
    func textBefore() throws {
        let lines = TestPublicPEM.p256.split(separator: "\n")
        for before in ["KEY=", "KEY=\"", "# ", "key: ", "-"] {
            let error = keyRefusal { try JWK(pem: before + lines.joined(separator: " ")) }
            #expect(error?.code == .malformed, "\(before)")
            #expect(error?.message.contains("other text stands before it") == true, "\(before)")
        }
        // Nor is it left out beside another key, of which it may be the second.
        for separator in ["\",\"", "\\n,", "\\n\", \"", "\nkey: ", "\n# "] {
            let text = lines.joined(separator: "\\n") + separator
            for pem in [text + TestPublicPEM.ed25519, "a: " + text + "\n" + TestPublicPEM.ed25519] {
                #expect(keyRefusal { try JWK(pem: pem) }?.code == .malformed, "\(separator)")
            }
        }
        // A mention of the marker is no block.
        let mention = "# from -----BEGIN PUBLIC KEY----- to -----END PUBLIC KEY-----\n"
        #expect(try !JWK(pem: mention + TestPublicPEM.p256).isPrivate)
        // A key that is commented out, before the one that is meant.
        let commented = lines.map { "# " + $0 }.joined(separator: "\n")
        #expect(
            try JWK(pem: commented + "\n" + TestPublicPEM.ed25519).thumbprint()
                == JWK(pem: TestPublicPEM.ed25519).thumbprint())
    }

    @Test("Other characters in a block are refused")
    func strictBase64() throws {
        let lines = TestPublicPEM.p256.split(separator: "\n")
        let text = lines.joined()
        let middle = text.index(text.startIndex, offsetBy: 60)
        for piece in [
            "\\\\n", "\\t", "\\", "\"", "'", ",", "\u{a0}", "\u{feff}", "#", "-", "=", "_",
        ] {
            let changed = text[..<middle] + piece + text[middle...]
            #expect(keyRefusal { try JWK(pem: String(changed)) }?.code == .malformed, "\(piece)")
        }
        for end in [
            "-----END PUBLIC KEY----", "-----END PUBLIC KEY------", "-----END KEY-----",
            "----END PUBLIC KEY-----", "-----END PUBLIC KEY-----x", "-----END ",
        ] {
            let changed = lines.dropLast().joined() + end
            #expect(keyRefusal { try JWK(pem: changed) }?.code == .malformed, "\(end)")
        }
    }

    @Test("Headers are encryption only where they say so")
    func headers() {
        var lines = TestPublicPEM.p256.split(separator: "\n")
        lines.insert("Comment: mine", at: 1)
        let error = keyRefusal { try JWK(pem: lines.joined(separator: "\n")) }
        #expect(error?.code == .malformed && error?.message.contains("headers") == true)
        let text = TestRefusedPEM.encryptedTraditional.split(separator: "\n").joined(separator: " ")
        #expect(keyRefusal { try JWK(pem: text) }?.code == .encryptedKey)
    }
}
