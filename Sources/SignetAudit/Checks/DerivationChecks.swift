// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

/// HKDF: the whole, and extract and expand where the intermediate key is published.
struct HKDFCheck: Sendable {
    let hash: HashAlgorithm
    let input: [UInt8]
    let salt: [UInt8]
    let info: [UInt8]
    let byteCount: Int
    let intermediate: [UInt8]?
    let output: [UInt8]

    func observation() -> AuditObservation {
        .observing { () throws(CryptoError) in
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
}

/// PBKDF2 with HMAC.
struct PBKDF2Check: Sendable {
    let hash: HashAlgorithm
    let password: [UInt8]
    let salt: [UInt8]
    let iterations: Int
    let byteCount: Int
    let output: [UInt8]

    func observation() -> AuditObservation {
        .observing { () throws(CryptoError) in
            let derived = try KeyDerivation.pbkdf2(
                password: SecretBytes(copying: password), salt: salt, iterations: iterations,
                byteCount: byteCount,
                hash: hash)
            return derived.equals(output) ? .accepted : .differed("another key came out")
        }
    }
}

/// scrypt.
struct ScryptCheck: Sendable {
    let password: [UInt8]
    let salt: [UInt8]
    let cost: Int
    let blockSize: Int
    let parallelism: Int
    let byteCount: Int
    let output: [UInt8]

    func observation() -> AuditObservation {
        .observing { () throws(CryptoError) in
            let derived = try KeyDerivation.scrypt(
                password: SecretBytes(copying: password), salt: salt, cost: cost,
                blockSize: blockSize,
                parallelism: parallelism, byteCount: byteCount, memoryLimit: 1 << 31)
            return derived.equals(output) ? .accepted : .differed("another key came out")
        }
    }
}
