// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import OpenSSLBridge
import TestSupport
import Testing

@Suite("Password derivations in the bridge")
struct PasswordKDFTests {
    private func pbkdf2(iterations: Int, byteCount: Int) throws {
        _ = try PasswordKDF.pbkdf2(
            password: [1].span, salt: [2].span, iterations: iterations, byteCount: byteCount,
            algorithm: .sha256)
    }

    private func scrypt(
        cost: UInt64 = 2, blockSize: UInt32 = 1, parallelism: UInt32 = 1,
        memoryLimit: UInt64 = 1 << 20,
        byteCount: Int = 32
    ) throws {
        _ = try PasswordKDF.scrypt(
            password: [1].span, salt: [2].span, cost: cost, blockSize: blockSize,
            parallelism: parallelism,
            memoryLimit: memoryLimit, byteCount: byteCount)
    }

    @Test(
        "PBKDF2 refuses numbers that do not fit libcrypto's int before calling it",
        arguments: [
            Int.min, -1, 0, Int(Int32.max) + 1, 1 << 32 + 1, Int.max,
        ])
    func pbkdf2Ranges(number: Int) {
        #expect(failure { try pbkdf2(iterations: number, byteCount: 32) } == .invalidLength)
        #expect(failure { try pbkdf2(iterations: 1, byteCount: number) } == .invalidLength)
    }

    @Test(
        "scrypt refuses an output length outside 1 to 2^31 - 1 before calling libcrypto",
        arguments: [
            Int.min, -1, 0, Int(Int32.max) + 1, Int.max,
        ])
    func scryptLengths(number: Int) {
        #expect(failure { try scrypt(byteCount: number) } == .invalidLength)
    }

    @Test(
        "scrypt with impossible parameters is refused without a crash",
        arguments: [
            (0, 1, 1), (1, 1, 1), (3, 1, 1), (2, 0, 1), (2, 1, 0), (UInt64.max, 1, 1),
            (2, UInt32.max, 1), (2, 1, UInt32.max), (1 << 63, 1 << 31, 1 << 31), (1 << 16, 1, 1),
        ] as [(UInt64, UInt32, UInt32)])
    func scryptRefused(cost: UInt64, blockSize: UInt32, parallelism: UInt32) {
        #expect(
            failure { try scrypt(cost: cost, blockSize: blockSize, parallelism: parallelism) }
                == .refused)
    }

    @Test("An empty password and salt are accepted, as null spans too")
    func empty() throws {
        let derived = try PasswordKDF.pbkdf2(
            password: Span(), salt: Span(), iterations: 1, byteCount: 32, algorithm: .sha256)
        #expect(
            hex(exposed(derived))
                == "f7ce0b653d2d72a4108cf5abe912ffdd777616dbbb27a70e8204f3ae2d0f6fad")
        let memoryHard = try PasswordKDF.scrypt(
            password: Span(), salt: Span(), cost: 16, blockSize: 1, parallelism: 1,
            memoryLimit: 1 << 20,
            byteCount: 64)
        #expect(
            hex(exposed(memoryHard)).hasPrefix(
                "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3f"))
    }
}
