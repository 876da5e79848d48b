// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge
internal import SignetMemory

extension KeyDerivation {
    /// Whether the loaded libcrypto has Argon2id: OpenSSL 3.2 or newer, outside a FIPS provider.
    package static var isArgon2idAvailable: Bool { Argon2id.isAvailable }

    /// Argon2id, version 1.3 (RFC 9106).
    ///
    /// - Parameters:
    ///   - password: the passphrase. It is not wiped here: its owner wipes it.
    ///   - salt: 8 to 1,024 bytes.
    ///   - memoryKiB: 8 per lane, up to 4,194,304 (4 GiB). OWASP recommends 19,456 with two passes,
    ///     RFC 9106 65,536 with three if memory is short. This function enforces neither.
    ///   - passes: 1 to 1,024.
    ///   - lanes: 1 to 64. A single thread computes them in turn; the result is the same.
    ///   - byteCount: 4 to 1,024.
    /// - Throws: `invalidParameter` for a parameter out of range, before anything is computed;
    ///   `unsupported` if the loaded libcrypto lacks Argon2id; `libraryFailure` if memory is short.
    public static func argon2id(
        password: borrowing SecretBytes, salt: some Collection<UInt8>, memoryKiB: Int = 65_536,
        passes: Int = 3,
        lanes: Int = 1, byteCount: Int = 32
    ) throws(CryptographyError) -> SecretKey {
        if let fault = ParameterRange.fault(
            .init("lanes", value: lanes, in: 1...64), .init("passes", value: passes, in: 1...1024),
            .init("memoryKiB", value: memoryKiB, in: 8 * min(max(lanes, 1), 64)...4_194_304),
            .init("salt.count", value: salt.count, in: 8...1024),
            .init("byteCount", value: byteCount, in: 4...1024),
            .init("password.count", value: password.count, in: 0...Int(Int32.max)))
        {
            throw CryptographyError(.invalidParameter, fault)
        }
        return try stretched(password, salt: salt) { (password, salt) throws(OpenSSLFailure) in
            try Argon2id.derive(
                password: password, salt: salt, memoryKiB: UInt32(memoryKiB),
                passes: UInt32(passes),
                lanes: UInt32(lanes), byteCount: byteCount)
        }
    }
}
