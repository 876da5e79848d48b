// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge
internal import SignetMemory

/// The hash functions under the HMAC of a one-time password.
///
/// Signet uses SHA-1 only here: for 31 bits of a code under a secret key, never for a digest or a
/// whole MAC. Only SHA-1's collision resistance is broken, which HMAC does not rely on (RFC 6194,
/// section 3.3; RFC 4226, appendix A.1), and most authenticator apps offer nothing else.
public enum OneTimePasswordHash: Sendable, CaseIterable {
    /// SHA-1, for 31 bits only.
    case sha1
    /// SHA-256.
    case sha256
    /// SHA-512.
    case sha512
}

extension SecretKey {
    /// The number behind a one-time password, 0 to 2^31 - 1: HMAC of a counter, cut to 31 bits (RFC
    /// 4226, section 5.3; with SHA-2 RFC 6238, section 1.2). Its last decimal digits are the code.
    ///
    /// For programs that build one-time passwords themselves: `SignetAccounts` has them whole
    /// (`TOTP`, `HOTP`). **Not** done here: digits, time steps, counting attempts, and refusing a
    /// code that was used.
    ///
    /// - Parameters:
    ///   - counter: for a code by time, the number of the time step.
    ///   - hash: the hash under the HMAC.
    /// - Throws: `invalidKeySize` for an empty key, `unsupported` without this hash in libcrypto.
    public func oneTimePasswordNumber(
        counter: UInt64, hash: OneTimePasswordHash
    ) throws(CryptographyError) -> UInt32 {
        guard byteCount > 0 else {
            throw CryptographyError(.invalidKeySize, "The key of one-time passwords is empty.")
        }
        let message = (0..<8).map { UInt8(truncatingIfNeeded: counter >> UInt64(56 - 8 * $0)) }
        let code = try translatingErrors(refused: .libraryFailure) { () throws(OpenSSLFailure) in
            try storage.withBytes { (key) throws(OpenSSLFailure) in
                try Self.authenticationCode(of: message.span, key: key, hash: hash)
            }
        }
        return code.withBytes(Self.truncated)
    }

    private static func authenticationCode(
        of message: Span<UInt8>, key: Span<UInt8>, hash: OneTimePasswordHash
    ) throws(OpenSSLFailure) -> SecretStorage {
        switch hash {
        case .sha1: try hmacSHA1(key: key, message: message)
        case .sha256: try MACState(key: key, algorithm: .sha256).code(for: message)
        case .sha512: try MACState(key: key, algorithm: .sha512).code(for: message)
        }
    }

    /// Four bytes at the offset in the last four bits, without the sign.
    private static func truncated(_ code: Span<UInt8>) -> UInt32 {
        // The offset is at most 15. No code is shorter: SHA-1's, the shortest, has 20 bytes.
        guard code.count >= 20 else { return 0 }
        let offset = Int(code[code.count - 1] & 15)
        let value = (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(code[offset + $1]) }
        return value & 0x7fff_ffff
    }
}
