// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

extension Check {
    /// HKDF as a whole, and as extract and expand if the intermediate key is published.
    static func hkdf(
        _ hash: HashAlgorithm, input: [UInt8], salt: [UInt8], info: [UInt8], byteCount: Int,
        intermediate: [UInt8]?, output: [UInt8]
    ) -> Body {
        crypto { () throws(CryptographyError) in
            let key = SecretKey(copying: input)
            let derived = try KeyDerivation.hkdf(
                key, salt: salt, info: info, byteCount: byteCount, hash: hash)
            guard derived.equals(output) else { return .differed("another key came out") }
            guard let intermediate else { return .accepted }
            let extracted = try KeyDerivation.hkdfExtract(key, salt: salt, hash: hash)
            guard extracted.equals(intermediate) else {
                return .differed("extract gave another key")
            }
            let expanded = try KeyDerivation.hkdfExpand(
                extracted, info: info, byteCount: byteCount, hash: hash)
            return expanded.equals(output) ? .accepted : .differed("expand gave another key")
        }
    }

    /// PBKDF2 with HMAC.
    static func pbkdf2(
        _ hash: HashAlgorithm, password: [UInt8], salt: [UInt8], iterations: Int, byteCount: Int,
        output: [UInt8]
    ) -> Body {
        crypto { () throws(CryptographyError) in
            let derived = try KeyDerivation.pbkdf2(
                password: SecretBytes(copying: password), salt: salt, iterations: iterations,
                byteCount: byteCount, hash: hash)
            return derived.equals(output) ? .accepted : .differed("another key came out")
        }
    }
}
