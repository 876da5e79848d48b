// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import SignetJOSE
import SignetSignIn
import TestSupport
import Testing

@Suite("PKCE, state and nonce")
struct PKCETests {
    @Test("The challenge is that of RFC 7636, appendix B")
    func vector() throws {
        let octets: [UInt8] = [
            116, 24, 223, 180, 151, 153, 224, 37, 79, 250, 96, 125, 216, 173, 187, 186, 22, 212, 37,
            77, 105,
            214, 191, 240, 91, 88, 5, 88, 83, 132, 141, 121,
        ]
        let pkce = try PKCE(verifier: Base64URL.encode(octets))
        #expect(pkce.exposedVerifier == "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        #expect(pkce.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
        #expect(PKCE.method == "S256")
        #expect(PKCE.matches(verifier: pkce.exposedVerifier, challenge: pkce.challenge))
        #expect(!PKCE.matches(verifier: pkce.exposedVerifier, challenge: pkce.exposedVerifier))
        #expect(!PKCE.matches(verifier: pkce.exposedVerifier, challenge: pkce.challenge + "="))
        #expect(
            !PKCE.matches(
                verifier: String(pkce.exposedVerifier.reversed()), challenge: pkce.challenge))
        #expect(!PKCE.matches(verifier: "", challenge: ""))
    }

    @Test("A verifier has 43 to 128 unreserved characters")
    func verifiers() throws {
        for count in [43, 44, 127, 128] {
            #expect(
                signInRefusal { try PKCE(verifier: String(repeating: "~", count: count)) } == nil)
        }
        for count in [0, 1, 42, 129, 1_000_000] {
            #expect(
                signInRefusal { try PKCE(verifier: String(repeating: "a", count: count)) }
                    == .malformed)
        }
        for character in ["+", "/", "=", " ", "%", "\u{0}", "é", "ａ", "\n"] {
            let verifier = String(repeating: "a", count: 50) + character
            #expect(signInRefusal { try PKCE(verifier: verifier) } == .malformed, "\(character)")
        }
    }

    @Test("New values have 256 random bits")
    func randomness() throws {
        var seen = Set<String>()
        for _ in 0..<100 {
            for text in [
                try PKCE().exposedVerifier, try AuthorizationState().exposedText,
                try AuthorizationNonce().exposedText,
            ] {
                #expect(try Base64URL.decode(text).count == 32)
                #expect(seen.insert(text).inserted)
            }
        }
    }

    @Test("A kept state or nonce that is short, or that a URL would alter, is refused")
    func keptValues() throws {
        let state = try AuthorizationState(SignInFixture.stateText)
        #expect(state.matches(SignInFixture.stateText))
        for text in ["", "a", SignInFixture.stateText + "a", SignInFixture.stateText.uppercased()] {
            #expect(!state.matches(text))
        }
        for text in [
            "", "short", String(repeating: "a", count: 21), String(repeating: "a", count: 513),
            String(repeating: "a", count: 30) + " ", String(repeating: "a", count: 30) + "&b=c",
        ] {
            #expect(signInRefusal { try AuthorizationState(text) } == .malformed)
            #expect(signInRefusal { try AuthorizationNonce(text) } == .malformed)
        }
    }
}
