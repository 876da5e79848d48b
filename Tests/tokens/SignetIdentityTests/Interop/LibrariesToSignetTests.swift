// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJOSE
import TestSupport
import Testing

@Suite(
    "Tokens and keys of other libraries, verified here", .tags(.interop),
    .enabled(if: Python.isAvailable, "\(Python.absence)")
)
struct LibrariesToSignetTests {
    @Test(
        "A token is accepted with the key that the library exported, and says what was claimed",
        arguments: Pairing.all)
    func accepted(pairing: Pairing) throws {
        let minted = try Minted.token(pairing)
        let key = try #require(minted.verificationKey(pairing.form))
        let claims = try Signet.verify(minted.token, key, pairing, keyID: minted.keyID)
        #expect(claims == .current)
    }

    @Test("A token with one bit changed is refused", arguments: Pairing.all)
    func forged(pairing: Pairing) throws {
        let minted = try Minted.token(pairing)
        let key = try #require(minted.verificationKey(pairing.form))
        try Signet.expectForgeriesRefused(of: minted.token, key, pairing, keyID: minted.keyID)
    }

    @Test(
        "A token for another audience, from another issuer or too late is refused",
        arguments: Pairing.all)
    func policy(pairing: Pairing) throws {
        let minted = try Minted.token(pairing)
        let key = try #require(minted.verificationKey(pairing.form))
        for (policy, code) in [
            (Signet.Policy(audience: "elsewhere"), TokenError.Code.audienceMismatch),
            (Signet.Policy(issuer: "https://issuer.example/"), .issuerMismatch),
            (Signet.Policy(secondsFromNow: 7200), .expired),
        ] {
            let failure = #expect(throws: TokenError.self, "\(policy)") {
                try Signet.verify(minted.token, key, pairing, keyID: minted.keyID, policy)
            }
            #expect(failure?.code == code)
        }
    }

    @Test("A token does not verify with another library's key", arguments: Pairing.all)
    func otherKey(pairing: Pairing) throws {
        let minted = try Minted.token(pairing)
        let other = Pairing(
            library: pairing.library == "jwcrypto" ? "joserfc" : "jwcrypto",
            algorithm: pairing.algorithm,
            form: pairing.form)
        var key = try #require(try Minted.token(other).verificationKey(pairing.form))
        // Under the name that the token calls for, so that it is the signature that decides.
        key = key.replacingOccurrences(of: "\"\(other.library)-", with: "\"\(pairing.library)-")
        let failure = #expect(throws: TokenError.self) {
            try Signet.verify(minted.token, key, pairing, keyID: minted.keyID)
        }
        #expect(failure?.code == .signatureInvalid)
    }

    @Test(
        "The library's private key signs here, and its public key verifies",
        arguments: Pairing.all)
    func privateKeys(pairing: Pairing) throws {
        let minted = try Minted.token(pairing)
        let privateKey = try #require(minted.signingKey(pairing.form))
        let publicKey = try #require(minted.verificationKey(pairing.form))
        let token = try Signet.sign(.current, privateKey, pairing, keyID: minted.keyID)
        #expect(try Signet.verify(token, publicKey, pairing, keyID: minted.keyID) == .current)
    }
}
