// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge

extension DeferredKey {
    /// Whether `signature` is one of `message`, of this key under `scheme`.
    ///
    /// - Throws: `libraryFailure` or `unsupported` when libcrypto cannot tell.
    func isValidSignature(
        _ signature: some Collection<UInt8>, for message: some Collection<UInt8>,
        _ scheme: SignatureScheme
    ) throws(CryptoError) -> Bool {
        try translating(refused: .libraryFailure) { () throws(OpenSSLFailure) in
            let verification = try SignatureVerification(key: self, scheme: scheme)
            return try withSpan(of: signature) { (signature) throws(OpenSSLFailure) in
                try withSpan(of: message) { (message) throws(OpenSSLFailure) in
                    try verification.isValid(signature, for: message)
                }
            }
        }
    }
}
