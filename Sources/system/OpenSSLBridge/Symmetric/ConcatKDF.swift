// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetMemory

/// The concatenation KDF of NIST SP 800-56A, section 5.8.1, with SHA-256, which is the only hash
/// that RFC 7518, section 4.6.2, has it use.
package enum ConcatKDF {
    package static func derive(
        _ secret: SecretStorage, otherInfo: Span<UInt8>, byteCount: Int
    ) throws(OpenSSLFailure) -> SecretStorage {
        guard secret.count > 0, byteCount > 0, byteCount <= Int(Int32.max) else {
            throw OpenSSLFailure(.invalidLength, "SSKDF")
        }
        let context = try DerivationContext(AlgorithmTable.shared.concatKDF)
        try context.set("digest", to: DigestAlgorithm.sha256.name)
        try secret.withBytes { (bytes) throws(OpenSSLFailure) in
            try context.set("key", to: bytes)
        }
        try context.set("info", to: otherInfo)
        return try context.derive(byteCount: byteCount, operation: "SSKDF")
    }
}
