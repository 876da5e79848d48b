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

    package static func scrypt(
        password: Span<UInt8>, salt: Span<UInt8>, cost: UInt64, blockSize: UInt64,
        parallelism: UInt64,
        memoryLimit: UInt64, byteCount: Int
    ) throws(OpenSSLFailure) -> SecretStorage {
        guard byteCount >= 1, byteCount <= Int(Int32.max) else {
            throw OpenSSLFailure(.invalidLength, "scrypt")
        }
        return try unsafe SecretStorage(count: byteCount) { (target) throws(OpenSSLFailure) in
            let returnCode = unsafe password.withBase { passwordBase, passwordCount in
                unsafe salt.withBase { saltBase, saltCount in
                    unsafe UnsafeRawPointer(passwordBase).withMemoryRebound(
                        to: CChar.self, capacity: passwordCount
                    ) { characters in
                        unsafe EVP_PBE_scrypt(
                            characters, passwordCount, saltBase, saltCount, cost, blockSize,
                            parallelism,
                            memoryLimit, target.baseAddress, byteCount)
                    }
                }
            }
            try require(returnCode, "EVP_PBE_scrypt")
        }
    }
}
