// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import TestSupport
import Testing

@Suite("Secret bytes and keys")
struct SecretKeyTests {
    @Test("A key holds the bytes it was made from", arguments: [0, 1, 16, 32, 1000])
    func contents(count: Int) {
        let source = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let key = SecretKey(copying: source)
        #expect(exposed(key) == source)
        #expect(key.byteCount == count)
        #expect(key.bitCount == count * 8)
        #expect(exposed(SecretKey(SecretBytes(copying: source.lazy.map { $0 }))) == source)
        #expect(exposed(SecretKey(copying: source.reversed())) == source.reversed())
    }

    @Test("Equality of keys compares length and every bit")
    func equality() {
        let source = (0..<32).map { UInt8($0) }
        let key = SecretKey(copying: source)
        let copy = key
        #expect(key == copy)
        #expect(key == SecretKey(copying: source))
        #expect(key != SecretKey(copying: source + [0]))
        #expect(key != SecretKey(copying: source.dropLast()))
        #expect(SecretKey(copying: []) == SecretKey(copying: EmptyCollection<UInt8>()))
        #expect(key != SecretKey(copying: []))
        for bit in 0..<256 {
            var other = source
            other[bit / 8] ^= 1 << (bit % 8)
            #expect(key != SecretKey(copying: other), "bit \(bit)")
        }
    }

    @Test("Equality of secret bytes compares length and every bit")
    func bytesEquality() {
        let a = SecretBytes(copying: [1, 2, 3])
        let b = SecretBytes(copying: [1, 2, 3])
        let c = SecretBytes(copying: [1, 2, 4])
        let d = SecretBytes(copying: [])
        let results = [a.isEqual(to: b), a.isEqual(to: c), a.isEqual(to: d), d.isEqual(to: d)]
        #expect(results == [true, false, false, true])
        #expect(a.count == 3)
    }

    @Test("An error thrown while the bytes are lent is rethrown")
    func errors() {
        let key = SecretKey(copying: [1])
        #expect(throws: CryptographyError(.unsupported, "")) {
            try key.withExposedBytes { (_: Span<UInt8>) throws(CryptographyError) -> Int in
                throw CryptographyError(.unsupported, "")
            }
        }
    }

    @Test("Keys are generated with 128 to 4096 bits in steps of 8, never twice the same")
    func generation() throws {
        for bad in [Int.min, -8, 0, 8, 120, 127, 129, 255, 4097, 4104, Int.max] {
            #expect(
                code { _ = try SecretKey.generate(bitCount: bad) } == .invalidParameter, "\(bad)")
        }
        for good in [128, 136, 192, 256, 512, 4096] {
            let key = try SecretKey.generate(bitCount: good)
            #expect(key.bitCount == good)
            #expect(key != (try SecretKey.generate(bitCount: good)))
        }
        #expect(try SecretKey.generate().bitCount == 256)
    }

    @Test(
        "Bad random counts are rejected", arguments: [Int.min, -1, Int(Int32.max) + 1, Int.max])
    func randomCounts(count: Int) {
        #expect(code { _ = try SecureRandom.bytes(count: count) } == .invalidParameter)
        #expect(code { _ = try SecretBytes.random(count: count) } == .invalidParameter)
    }

    @Test("Random bytes are returned in every small length", arguments: 0...65)
    func random(count: Int) throws {
        #expect(try SecureRandom.bytes(count: count).count == count)
        let secret = try SecretBytes.random(count: count)
        let given = secret.count
        #expect(given == count)
        if count >= 16 {
            #expect(try SecureRandom.bytes(count: count) != SecureRandom.bytes(count: count))
        }
    }
}
