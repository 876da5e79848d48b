// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge
internal import SignetMemory

extension KeyHandle {
    /// Whether `signature` is a valid signature of `message` by this key under `scheme`.
    ///
    /// - Throws: `libraryFailure` or `unsupported` if libcrypto cannot compute.
    func isValidSignature(
        _ signature: some Collection<UInt8>, for message: some Collection<UInt8>,
        under scheme: SignatureScheme
    ) throws(CryptographyError) -> Bool {
        try translatingErrors(refused: .libraryFailure) { () throws(OpenSSLFailure) in
            try withSpan(of: signature) { (signature) throws(OpenSSLFailure) in
                try withSpan(of: message) { (message) throws(OpenSSLFailure) in
                    try isValid(signature, for: message, under: scheme)
                }
            }
        }
    }

    /// A signature of `message` under `scheme`.
    func signature(
        for message: some Collection<UInt8>, under scheme: SignatureScheme
    ) throws(CryptographyError) -> [UInt8] {
        try translatingErrors(refused: .libraryFailure) { () throws(OpenSSLFailure) in
            try withSpan(of: message) { (message) throws(OpenSSLFailure) in
                try signature(for: message, under: scheme)
            }
        }
    }
}
