// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge

/// What both sealing algorithms share.
enum SealedForm {
    static func checkPlaintext(_ byteCount: Int) throws(CryptographyError) {
        guard byteCount <= AEAD.maximumPlaintextByteCount else {
            throw CryptographyError(.tooLarge, "At most 2^36 - 32 bytes are sealed at once.")
        }
    }
}
