// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import TestSupport
import Testing

@Suite("Derived keys: limits")
struct KeyDerivationLimitTests {
    @Test("HKDF gives 1 to 255 times the hash's length", arguments: HashAlgorithm.allCases)
    func hkdfLengths(hash: HashAlgorithm) throws {
        let input = key(repeating: 1, 64)
        let most = 255 * hash.byteCount
        for bad in [Int.min, -1, 0, most + 1, Int.max] {
            #expect(
                code { _ = try KeyDerivation.hkdf(input, info: [], byteCount: bad, hash: hash) }
                    == .invalidParameter, "\(bad)")
            #expect(
                code {
                    _ = try KeyDerivation.hkdfExpand(input, info: [], byteCount: bad, hash: hash)
                }
                    == .invalidParameter, "\(bad)")
        }
        let whole = exposed(
            try KeyDerivation.hkdf(input, info: [1, 2], byteCount: most, hash: hash))
        #expect(whole.count == most)
        for good in [1, hash.byteCount - 1, hash.byteCount, hash.byteCount + 1, most - 1] {
            let part = try KeyDerivation.hkdf(input, info: [1, 2], byteCount: good, hash: hash)
            #expect(exposed(part) == Array(whole.prefix(good)), "\(good)")
        }
    }

    @Test(
        "HKDF-Expand takes a key as long as the hash or longer", arguments: HashAlgorithm.allCases)
    func expandKeys(hash: HashAlgorithm) {
        for count in [0, 1, hash.byteCount - 1] {
            #expect(
                code {
                    _ = try KeyDerivation.hkdfExpand(
                        key(repeating: 1, count), info: [], byteCount: 1, hash: hash)
                } == .invalidKeySize, "\(count)")
        }
    }

    @Test("HKDF treats an absent salt as zeros, and accepts empty input and info")
    func hkdfEmpty() throws {
        let absent = try KeyDerivation.hkdf(key([]), info: [], byteCount: 32)
        let zeros = try KeyDerivation.hkdf(
            key([]), salt: [UInt8](repeating: 0, count: 32), info: EmptyCollection<UInt8>(),
            byteCount: 32)
        #expect(absent == zeros)
        #expect(absent != (try KeyDerivation.hkdf(key([]), info: [0], byteCount: 32)))
    }

    @Test(
        "PBKDF2 refuses numbers out of range before it computes anything",
        arguments: [
            (0, 32), (-1, 32), (Int.min, 32), (100_000_001, 32), (Int.max, 32), (1, 0), (1, -1),
            (1, Int.min),
            (1, 1025), (1, Int.max),
        ])
    func pbkdf2Limits(iterations: Int, byteCount: Int) {
        #expect(
            code {
                _ = try KeyDerivation.pbkdf2(
                    password: SecretBytes(copying: [1]), salt: [2], iterations: iterations,
                    byteCount: byteCount)
            } == .invalidParameter)
    }

    private func scrypt(
        cost: Int = 16, blockSize: Int = 1, parallelism: Int = 1, byteCount: Int = 32,
        memoryLimit: Int = 1 << 28
    ) throws -> [UInt8] {
        exposed(
            try KeyDerivation.scrypt(
                password: SecretBytes(copying: [1]), salt: [2], cost: cost, blockSize: blockSize,
                parallelism: parallelism, byteCount: byteCount, memoryLimit: memoryLimit))
    }

    @Test(
        "scrypt refuses numbers out of range, however large, before it computes anything",
        arguments: [
            Int.min, -1, 0, 1 << 30, Int.max, Int.max - 1, 1 << 62,
        ])
    func scryptLimits(number: Int) {
        #expect(code { _ = try scrypt(cost: number) } == .invalidParameter)
        #expect(code { _ = try scrypt(blockSize: number) } == .invalidParameter)
        #expect(code { _ = try scrypt(parallelism: number) } == .invalidParameter)
        #expect(code { _ = try scrypt(byteCount: number) } == .invalidParameter)
        #expect(
            code {
                _ = try scrypt(
                    cost: number, blockSize: number, parallelism: number, byteCount: number)
            } == .invalidParameter)
        if number <= 0 {
            #expect(code { _ = try scrypt(memoryLimit: number) } == .invalidParameter)
        }
    }

    @Test("scrypt's N is a power of two over 1, and with r = 1 below 2^16 (RFC 7914, section 6)")
    func scryptCosts() throws {
        for cost in [1, 3, 5, 6, 1000, 1 << 25] {
            #expect(code { _ = try scrypt(cost: cost) } == .invalidParameter, "\(cost)")
        }
        for cost in [1 << 16, 1 << 17] {
            #expect(
                code { _ = try scrypt(cost: cost, blockSize: 1) } == .invalidParameter, "\(cost)")
        }
        #expect(try scrypt(cost: 1 << 15, blockSize: 1).count == 32)
        #expect(try scrypt(cost: 1 << 16, blockSize: 2).count == 32)
        #expect(try scrypt(cost: 2).count == 32)
    }

    @Test("scrypt works with every block size, and counts memory as libcrypto does")
    func scryptMemory() throws {
        for blockSize in [1, 2, 7, 8, 9, 16, 32, 63, 64] {
            for parallelism in [1, 2, 64] {
                let needed = 128 * blockSize * (16 + 2 + parallelism)
                #expect(
                    code {
                        _ = try scrypt(
                            blockSize: blockSize, parallelism: parallelism, memoryLimit: needed)
                    } == nil, "r = \(blockSize), p = \(parallelism)")
                #expect(
                    code {
                        _ = try scrypt(
                            blockSize: blockSize, parallelism: parallelism, memoryLimit: needed - 1)
                    } == .invalidParameter, "r = \(blockSize), p = \(parallelism)")
            }
        }
        // 2 GiB, over the default limit; the message says how much.
        let refused = error { _ = try scrypt(cost: 1 << 21, blockSize: 8) }
        #expect(refused?.code == .invalidParameter)
        #expect(refused?.message.contains("268435456") == true)
    }

    @Test("An empty password and salt are accepted")
    func emptyPasswords() throws {
        let empty = SecretBytes(copying: [])
        let a = try KeyDerivation.pbkdf2(password: empty, salt: [], iterations: 1, byteCount: 1024)
        #expect(a.byteCount == 1024)
        let b = try KeyDerivation.scrypt(
            password: empty, salt: EmptyCollection<UInt8>(), cost: 16, blockSize: 1, byteCount: 64)
        #expect(hex(exposed(b)).hasPrefix("77d6576238657b203b19ca42c18a0497"))
    }
}
