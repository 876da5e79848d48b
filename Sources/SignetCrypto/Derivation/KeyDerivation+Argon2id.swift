// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge
internal import SignetMemory

extension KeyDerivation {
    /// Whether the loaded libcrypto has Argon2id: OpenSSL 3.2 or newer, outside a FIPS provider.
    public static var isArgon2idAvailable: Bool { Argon2id.isAvailable }

    /// Argon2id, version 1.3 (RFC 9106).
    ///
    /// - Parameters:
    ///   - password: the passphrase. It is not wiped here: its owner wipes it.
    ///   - salt: 8 to 1024 bytes.
    ///   - memoryKiB: 8 per lane, up to 4 194 304 (4 GiB). OWASP recommends 19 456 with two passes,
    ///     RFC 9106 65 536 with three if memory is short. This function enforces neither.
    ///   - passes: 1 to 1024.
    ///   - lanes: 1 to 64. One thread computes them in turn; the result is the same.
    ///   - byteCount: 4 to 1024.
    /// - Throws: `invalidParameter` outside these ranges, before anything is computed;
    ///   `unsupported` if the loaded libcrypto lacks it; `libraryFailure` if memory is short.
    public static func argon2id(
        password: borrowing SecretBytes, salt: some Collection<UInt8>, memoryKiB: Int = 65_536,
        passes: Int = 3,
        lanes: Int = 1, byteCount: Int = 32
    ) throws(CryptographyError) -> SecretKey {
        guard (1...64).contains(lanes), (1...1024).contains(passes),
            (8 * lanes...4_194_304).contains(memoryKiB),
            (8...1024).contains(salt.count), (4...1024).contains(byteCount),
            password.count <= Int(Int32.max)
        else {
            throw CryptographyError(
                .invalidParameter,
                "Argon2id takes 1 to 64 lanes, 8 KiB for each to 4 GiB of memory, 1 to 1024 passes and a salt of 8 to 1024 bytes, and gives 4 to 1024 bytes."
            )
        }
        return try stretched(password, salt) { (password, salt) throws(OpenSSLFailure) in
            try Argon2id.derive(
                password: password, salt: salt, memoryKiB: UInt32(memoryKiB),
                passes: UInt32(passes),
                lanes: UInt32(lanes), byteCount: byteCount)
        }
    }
}
