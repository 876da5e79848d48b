// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@Suite(
    "Signet's tokens and keys, verified by other libraries", .tags(.interop),
    .enabled(if: Python.isAvailable, "\(Python.absence)"))
struct SignetToLibrariesTests {
    @Test("The library accepts the token and reads the same claims", arguments: Pairing.all)
    func accepted(pairing: Pairing) throws {
        let (_, answer) = try Answers.answer(pairing)
        #expect(answer.error == nil)
        #expect(answer.claimsAreEqual == true)
    }

    @Test(
        "The library refuses forged and expired tokens, and those for or from others",
        arguments: Pairing.all)
    func refused(pairing: Pairing) throws {
        let (offer, answer) = try Answers.answer(pairing)
        #expect(offer.forged.count == 6)
        #expect(answer.wronglyAccepted == [])
        // Expired, another audience, another issuer, and every forgery was tried.
        #expect(answer.refusalCount == 3 + offer.forged.count)
    }

    @Test(
        "Signet verifies what the library signs with Signet's private key", arguments: Pairing.all)
    func privateKeys(pairing: Pairing) throws {
        let (offer, answer) = try Answers.answer(pairing)
        let token = try #require(answer.minted)
        let key = try #require(
            pairing.form == .jwk ? offer.publicJWK ?? offer.privateJWK : offer.publicPEM)
        #expect(try Signet.verify(token, key, pairing, keyID: offer.keyID) == .current)
    }
}
