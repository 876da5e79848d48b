// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import TestSupport
import Testing

@Suite("Derived keys: Argon2id")
struct Argon2idDerivationTests {
    private func derive(
        salt: Int = 16, memoryKiB: Int = 64, passes: Int = 1, lanes: Int = 1, byteCount: Int = 32
    ) throws -> SecretKey {
        try KeyDerivation.argon2id(
            password: SecretBytes(copying: "correct horse".utf8),
            salt: [UInt8](repeating: 5, count: salt),
            memoryKiB: memoryKiB, passes: passes, lanes: lanes, byteCount: byteCount)
    }

    @Test(
        "Numbers out of range, however large, are refused before anything is computed",
        arguments: [Int.min, -1, 0, 1 << 30, Int.max, 1 << 62])
    func limits(number: Int) {
        #expect(code { _ = try derive(memoryKiB: number) } == .invalidParameter)
        #expect(code { _ = try derive(passes: number) } == .invalidParameter)
        #expect(code { _ = try derive(lanes: number) } == .invalidParameter)
        #expect(code { _ = try derive(byteCount: number) } == .invalidParameter)
    }

    @Test("Each lane has 8 KiB or more; a salt has 8 to 1024 bytes; a key 4 to 1024")
    func edges() {
        for (memory, lanes) in [(7, 1), (15, 2), (511, 64), (4_194_305, 1), (520, 65)] {
            #expect(
                code { _ = try derive(memoryKiB: memory, lanes: lanes) } == .invalidParameter,
                "\(memory)")
        }
        for count in [0, 7, 1025] {
            #expect(code { _ = try derive(salt: count) } == .invalidParameter, "\(count)")
        }
        for count in [3, 1025] {
            #expect(code { _ = try derive(byteCount: count) } == .invalidParameter, "\(count)")
        }
        #expect(code { _ = try derive(passes: 1025) } == .invalidParameter)
    }

    @Test(
        "Without Argon2id in libcrypto the error is unsupported",
        .enabled(if: !KeyDerivation.isArgon2idAvailable, "OpenSSL 3.2 or newer is loaded"))
    func unsupported() {
        #expect(code { _ = try derive() } == .unsupported)
    }

    /// Made with argon2-cffi 25.1.
    @Test(
        "Keys match those of argon2-cffi",
        .enabled(if: KeyDerivation.isArgon2idAvailable, "Argon2id needs OpenSSL 3.2 or newer"),
        arguments: [
            (
                (19_456, 2, 1, 32),
                "aeb7724ee8e2ba77dcbc553967ccb7780b4bfa2c2b9e2f881c05b63b90cd7f36"
            ),
            ((64, 1, 1, 32), "712f8cc5079b21842b78fc780c78b9a120af7d4ba734bf335cd1381fc8d71aa7"),
            (
                (256, 3, 4, 64),
                "cb25350acb0900838902639398a0cbb1bcc7590591761a3b06b0e859f29225c20e5bb78be5eb792aaa8aff775b5e52c07a37adec7c6eb46ef9a3e76c03ad2005"
            ),
        ] as [((Int, Int, Int, Int), String)])
    func knownAnswers(
        numbers: (memoryKiB: Int, passes: Int, lanes: Int, byteCount: Int), expected: String
    )
        throws
    {
        let derived = try derive(
            memoryKiB: numbers.memoryKiB, passes: numbers.passes, lanes: numbers.lanes,
            byteCount: numbers.byteCount)
        #expect(hex(exposed(derived)) == expected)
    }
}
