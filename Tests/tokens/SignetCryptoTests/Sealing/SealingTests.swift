// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import TestSupport
import Testing

@Suite("Sealing and opening")
struct SealingTests {
    static let data = Array("associated".utf8)

    /// Everything that is not authentic gives one error with one sentence.
    static let refusal = CryptographyError(
        .authenticationFailure,
        "The sealed data could not be opened: it was changed, or the key or the associated data is wrong."
    )

    private func expectRefused(
        _ sealer: Sealer, _ sealed: [UInt8], _ key: SecretKey, _ data: [UInt8],
        _ what: @autoclosure () -> String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let thrown = error { _ = try sealer.open(sealed, key, data) }
        #expect(thrown?.code == Self.refusal.code, "\(what())", sourceLocation: sourceLocation)
        #expect(
            thrown?.message == Self.refusal.message, "\(what())", sourceLocation: sourceLocation)
    }

    @Test(
        "Sealed messages of many lengths open, with and without associated data",
        arguments: Sealer.allCases,
        [0, 1, 15, 16, 17, 31, 32, 33, 1000, 1 << 20])
    func roundTrips(sealer: Sealer, count: Int) throws {
        let key = try SecretKey.generate(bitCount: sealer.keyByteCount * 8)
        var random = SeededGenerator(seed: UInt64(count))
        let plaintext = [UInt8](repeating: 0, count: count).map { _ in
            UInt8(truncatingIfNeeded: random.next())
        }
        for data in [[], Self.data, [UInt8](repeating: 5, count: 4097)] {
            let sealed = try sealer.seal(plaintext, key, data)
            #expect(sealed.count == sealer.nonceByteCount + count + 16)
            #expect(try sealer.open(sealed, key, data) == plaintext)
            if count >= 16 {
                let body = Array(sealed[sealer.nonceByteCount..<(sealed.count - 16)])
                #expect(body != plaintext)
            }
        }
    }

    @Test(
        "A changed bit anywhere is refused", arguments: Sealer.allCases,
        [0, 1, 20])
    func everyBit(sealer: Sealer, count: Int) throws {
        let key = try SecretKey.generate(bitCount: sealer.keyByteCount * 8)
        let sealed = try sealer.seal([UInt8](repeating: 0x5a, count: count), key, Self.data)
        for bit in 0..<(sealed.count * 8) {
            var changed = sealed
            changed[bit / 8] ^= 1 << (bit % 8)
            expectRefused(sealer, changed, key, Self.data, "bit \(bit)")
        }
    }

    @Test(
        "A message cut off at either end is refused",
        arguments: Sealer.allCases)
    func truncation(sealer: Sealer) throws {
        let key = try SecretKey.generate(bitCount: sealer.keyByteCount * 8)
        let sealed = try sealer.seal([UInt8](repeating: 0x5a, count: 40), key, Self.data)
        for count in 0..<sealed.count {
            expectRefused(sealer, Array(sealed.prefix(count)), key, Self.data, "first \(count)")
            expectRefused(sealer, Array(sealed.suffix(count)), key, Self.data, "last \(count)")
        }
    }

    @Test("Inserted bytes are refused anywhere", arguments: Sealer.allCases)
    func additions(sealer: Sealer) throws {
        let key = try SecretKey.generate(bitCount: sealer.keyByteCount * 8)
        let sealed = try sealer.seal(Array("plaintext".utf8), key, Self.data)
        for extra: [UInt8] in [[0], [0xff], [UInt8](repeating: 0, count: 16), sealed] {
            expectRefused(sealer, sealed + extra, key, Self.data, "behind")
            expectRefused(sealer, extra + sealed, key, Self.data, "before")
            for index in 1..<sealed.count {
                var changed = sealed
                changed.insert(contentsOf: extra, at: index)
                expectRefused(sealer, changed, key, Self.data, "at \(index)")
            }
        }
    }

    @Test(
        "Other associated data is refused, and so is data moved into the ciphertext",
        arguments: Sealer.allCases)
    func otherData(sealer: Sealer) throws {
        let key = try SecretKey.generate(bitCount: sealer.keyByteCount * 8)
        let sealed = try sealer.seal(Array("plaintext".utf8), key, Self.data)
        var oneBit = Self.data
        oneBit[0] ^= 1
        for other in [[], Self.data + [0], [0] + Self.data, Array(Self.data.dropLast()), oneBit] {
            expectRefused(sealer, sealed, key, other, "\(other.count) bytes")
        }
        let without = try sealer.seal(Array("plaintext".utf8), key)
        expectRefused(sealer, without, key, [0], "data where there was none")
        let onlyData = try sealer.seal([], key, Self.data)
        let nonce = sealer.nonceByteCount
        let moved = Array(onlyData[..<nonce]) + Self.data + Array(onlyData[nonce...])
        expectRefused(sealer, moved, key, [], "data as ciphertext")
    }

    @Test(
        "Another key is refused, even one with a single bit changed",
        arguments: Sealer.allCases)
    func wrongKeys(sealer: Sealer) throws {
        let bytes = exposed(try SecretKey.generate(bitCount: sealer.keyByteCount * 8))
        let sealed = try sealer.seal(Array("plaintext".utf8), key(bytes), Self.data)
        for bit in 0..<(bytes.count * 8) {
            var changed = bytes
            changed[bit / 8] ^= 1 << (bit % 8)
            expectRefused(sealer, sealed, key(changed), Self.data, "bit \(bit)")
        }
        for count in [16, 24, 32] where count != bytes.count && sealer != .xaes256GCM {
            expectRefused(sealer, sealed, key(repeating: 1, count), Self.data, "\(count) bytes")
        }
    }

    @Test("AES-GCM and XAES do not open each other's messages")
    func notInterchangeable() throws {
        let key = try SecretKey.generate()
        let gcm = try AESGCM.seal(Array("plaintext, long enough for both".utf8), using: key)
        let xaes = try XAES256GCM.seal(Array("plaintext, long enough for both".utf8), using: key)
        expectRefused(.xaes256GCM, gcm, key, [], "GCM as XAES")
        expectRefused(.aes256GCM, xaes, key, [], "XAES as GCM")
    }

    @Test(
        "A key of any other length is refused before anything else is checked",
        arguments: Sealer.allCases)
    func keySizes(sealer: Sealer) {
        let accepted = sealer == .xaes256GCM ? [32] : [16, 24, 32]
        for count in 0...80 where !accepted.contains(count) {
            let key = key(repeating: 1, count)
            let sealed = [UInt8](repeating: 0, count: 60)
            #expect(code { _ = try sealer.seal([1], key) } == .invalidKeySize, "\(count)")
            #expect(
                code { _ = try sealer.seal([1], key, nonce: [1]) } == .invalidKeySize, "\(count)")
            #expect(code { _ = try sealer.open(sealed, key) } == .invalidKeySize, "\(count)")
            #expect(code { _ = try sealer.open([], key) } == .invalidKeySize, "\(count)")
        }
    }

    @Test("A nonce of any other length is refused", arguments: Sealer.allCases)
    func nonceSizes(sealer: Sealer) {
        let key = key(repeating: 1, sealer.keyByteCount)
        for count in 0...64 where count != sealer.nonceByteCount {
            let nonce = [UInt8](repeating: 1, count: count)
            #expect(
                code { _ = try sealer.seal([1], key, nonce: nonce) } == .invalidNonceSize,
                "\(count)")
        }
    }

    @Test("No nonce repeats", arguments: Sealer.allCases)
    func noncesDiffer(sealer: Sealer) throws {
        let key = key(repeating: 1, sealer.keyByteCount)
        var seen = Set<[UInt8]>()
        for _ in 0..<2000 {
            let sealed = try sealer.seal([], key)
            seen.insert(Array(sealed.prefix(sealer.nonceByteCount)))
        }
        #expect(seen.count == 2000)
    }
}
