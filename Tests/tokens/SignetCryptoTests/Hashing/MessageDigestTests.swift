// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import TestSupport
import Testing

@Suite("Digests and comparison")
struct MessageDigestTests {
    @Test(
        "The digests of FIPS 180-4, from arrays and lazy collections",
        arguments: [
            (
                HashAlgorithm.sha256,
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
            ),
            (
                .sha384,
                """
                cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7
                """
            ),
            (
                .sha512,
                """
                ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a
                2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f
                """
            ),
        ])
    func knownAnswers(hash: HashAlgorithm, expected: String) throws {
        #expect(try MessageDigest.digest("abc".utf8, using: hash) == bytes(expected))
        let lazy = Array("abc".utf8).lazy.map { $0 }
        #expect(try MessageDigest.digest(lazy, using: hash) == bytes(expected))
        #expect(try MessageDigest.digest([], using: hash).count == hash.byteCount)
    }

    @Test("Constant-time equality compares every byte")
    func constantTime() {
        #expect(ConstantTime.areEqual([1, 2, 3], [1, 2, 3]))
        #expect(ConstantTime.areEqual([UInt8](), EmptyCollection<UInt8>()))
        #expect(ConstantTime.areEqual("abc".utf8, [0x61, 0x62, 0x63]))
        #expect(!ConstantTime.areEqual([1, 2, 3], [1, 2]))
        #expect(!ConstantTime.areEqual([1, 2, 3], [1, 2, 4]))
        #expect(!ConstantTime.areEqual([1], [UInt8]()))
    }
}
