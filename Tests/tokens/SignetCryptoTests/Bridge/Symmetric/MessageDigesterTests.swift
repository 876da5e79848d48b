// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import OpenSSLBridge
import TestSupport
import Testing

@Suite("Digests in the bridge")
struct MessageDigesterTests {
    @Test(
        "The digests of FIPS 180-4",
        arguments: [
            (
                DigestAlgorithm.sha256, "",
                "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
            ),
            (.sha256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                .sha384, "abc",
                """
                cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7
                """
            ),
            (
                .sha512, "abc",
                """
                ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a
                2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f
                """
            ),
        ])
    func knownAnswers(algorithm: DigestAlgorithm, message: String, expected: String) throws {
        #expect(try hex(digestBytes(algorithm, Array(message.utf8))) == hex(bytes(expected)))
    }

    @Test("A span without a base address is the empty message", arguments: DigestAlgorithm.allCases)
    func nullBase(algorithm: DigestAlgorithm) throws {
        let ofNull = try digest(algorithm, of: Span())
        #expect(try digestBytes(algorithm, []) == ofNull)
        #expect(ofNull.count == algorithm.byteCount)
    }

    @Test("SHAKE-128 gives the published output, whole or in pieces")
    func shake() throws {
        let empty = try ExtendableOutput()
        let ofNothing = try empty.squeeze(byteCount: 32)
        #expect(
            hex(ofNothing)
                == "7f9c2ba4e88f827d616045507605853ed73b8093f6efbc88eb1a6eacfa66ef26")
        let whole = try ExtendableOutput()
        try whole.absorb([1, 2, 3, 4].span)
        let pieces = try ExtendableOutput()
        try pieces.absorb([1, 2].span)
        try pieces.absorb(Span())
        try pieces.absorb([3, 4].span)
        let expected = try whole.squeeze(byteCount: 300)
        let inPieces = try pieces.squeeze(byteCount: 300)
        #expect(inPieces == expected)
        for count in [0, -1, Int.min] {
            let none = try ExtendableOutput()
            let output = try none.squeeze(byteCount: count)
            #expect(output.isEmpty)
        }
    }
}
