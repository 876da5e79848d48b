// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import OpenSSLBridge
import SignetMemory
import TestSupport
import Testing

@Suite("Wiped storage")
struct SecretStorageTests {
    @Test("Storage holds what was copied, including nothing", arguments: [0, 1, 15, 16, 17, 4096])
    func copying(count: Int) {
        var random = SeededGenerator(seed: UInt64(count))
        let source = random.bytes(count)
        let storage = secret(source)
        #expect(storage.count == count)
        #expect(exposed(storage) == source)
    }

    @Test("A null span gives empty storage")
    func nullBase() {
        let storage = SecretStorage(copying: Span())
        #expect(storage.count == 0)
        #expect(exposed(storage).isEmpty)
        #expect(storage.isEqual(to: secret([])))
    }

    @Test("Equality compares length and every bit")
    func equality() {
        var random = SeededGenerator(seed: 5)
        let source = random.bytes(33)
        let storage = secret(source)
        #expect(storage.isEqual(to: secret(source)))
        #expect(!storage.isEqual(to: secret(source + [0])))
        #expect(!storage.isEqual(to: secret(Array(source.dropLast()))))
        #expect(!storage.isEqual(to: secret([])))
        for bit in 0..<(33 * 8) {
            var other = source
            other[bit / 8] ^= 1 << (bit % 8)
            #expect(!storage.isEqual(to: secret(other)), "bit \(bit)")
        }
    }

    @Test(
        "Invalid random counts are refused",
        arguments: [
            Int.min, -1, Int(Int32.max) + 1, Int.max,
        ])
    func randomCounts(count: Int) {
        #expect(failure { _ = try SecretStorage(randomCount: count) } == .invalidLength)
        #expect(failure { _ = try randomBytes(count: count) } == .invalidLength)
    }

    @Test("Random bytes differ and have the requested count", arguments: [0, 1, 32, 100_000])
    func random(count: Int) throws {
        let a = try SecretStorage(randomCount: count)
        let b = try SecretStorage(randomCount: count)
        #expect(a.count == count)
        #expect(try randomBytes(count: count).count == count)
        if count >= 32 {
            #expect(!a.isEqual(to: b))
            #expect(try randomBytes(count: count) != randomBytes(count: count))
        }
    }

    @Test("Cleansing overwrites an array in place")
    func cleansing() {
        var bytes = [UInt8](repeating: 0xa5, count: 100)
        cleanse(&bytes)
        #expect(bytes == [UInt8](repeating: 0, count: 100))
        var none: [UInt8] = []
        cleanse(&none)
        #expect(none.isEmpty)
    }

    @Test("Printing the storage shows none of its bytes")
    func description() {
        let storage = secret(Array("s3cr3t-p4ssphr4se".utf8))
        var dumped = ""
        dump(storage, to: &dumped)
        for text in [
            String(describing: storage), String(reflecting: storage), "\(storage)", dumped,
        ] {
            #expect(!text.contains("s3cr3t"))
            #expect(!text.contains(hex(Array("s3cr3t".utf8))))
            // A byte as a number; the digits may also be part of an address.
            let words = text.split { !$0.isLetter && !$0.isNumber }
            #expect(!words.contains("115"))
        }
    }
}
