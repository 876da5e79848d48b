// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
package import SignetMemory

/// The password-based derivations that libcrypto offers, each as a single call.
package enum PasswordKDF {
    package static func pbkdf2(
        password: Span<UInt8>, salt: Span<UInt8>, iterations: Int, byteCount: Int,
        algorithm: DigestAlgorithm
    ) throws(OpenSSLFailure) -> SecretStorage {
        guard let iterations = Int32(exactly: iterations), iterations >= 1,
            let passwordCount = Int32(exactly: password.count),
            let saltCount = Int32(exactly: salt.count),
            let outputCount = Int32(exactly: byteCount), outputCount >= 1
        else { throw OpenSSLFailure(.invalidLength, "pbkdf2") }
        let type = try unsafe algorithm.required()
        return try unsafe SecretStorage(count: byteCount) { (target) throws(OpenSSLFailure) in
            let returnCode = unsafe password.withBase { passwordBase, _ in
                unsafe salt.withBase { saltBase, _ in
                    unsafe UnsafeRawPointer(passwordBase).withMemoryRebound(
                        to: CChar.self, capacity: password.count
                    ) { characters in
                        unsafe PKCS5_PBKDF2_HMAC(
                            characters, passwordCount, saltBase, saltCount, iterations, type,
                            outputCount,
                            target.baseAddress)
                    }
                }
            }
            try require(returnCode, "PKCS5_PBKDF2_HMAC")
        }
    }

    /// Whether the loaded libcrypto has scrypt, which a FIPS provider lacks.
    package static var isScryptAvailable: Bool { AlgorithmTable.shared.scrypt.isOffered }

    /// Fetched by name rather than through `EVP_PBE_scrypt`, so that its absence is `unavailable`
    /// and not a refused call.
    package static func scrypt(
        password: Span<UInt8>, salt: Span<UInt8>, cost: UInt64, blockSize: UInt32,
        parallelism: UInt32, memoryLimit: UInt64, byteCount: Int
    ) throws(OpenSSLFailure) -> SecretStorage {
        guard byteCount >= 1, byteCount <= Int(Int32.max) else {
            throw OpenSSLFailure(.invalidLength, "SCRYPT")
        }
        let context = try DerivationContext(AlgorithmTable.shared.scrypt)
        try context.set("pass", to: password)
        try context.set("salt", to: salt)
        try context.set("n", to: cost)
        try context.set("r", to: UInt64(blockSize))
        try context.set("p", to: UInt64(parallelism))
        try context.set("maxmem_bytes", to: memoryLimit)
        return try context.derive(byteCount: byteCount, operation: "SCRYPT")
    }
}
