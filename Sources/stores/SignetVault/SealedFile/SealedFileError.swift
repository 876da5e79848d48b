// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetCrypto

/// Why a sealed file was not opened or made.
package enum SealedFileError: Error {
    /// Neither the magic nor the length is a sealed file's, or its mode is not known.
    case notSealed
    /// The exponent of scrypt's N in the file, outside of 14 to 20.
    case scryptCost(Int)
    /// PBKDF2's iterations in the file, outside of 100,000 to 10,000,000.
    case iterationCount(Int)
    /// The loaded libcrypto cannot derive a key so.
    case unavailable(PasswordAlgorithm)
    /// The file is not authentic, or libcrypto failed.
    case cryptography(CryptographyError)
}
