// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetCrypto
package import SignetPlatform

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
    /// A file of version 1 is longer than its limit.
    case tooLarge
    /// The file is not authentic, or libcrypto failed.
    case cryptography(CryptographyError)
    /// The input could not be read.
    case reading(SystemFailure)
    /// The output could not be written.
    case writing(SystemFailure)

    static var notAuthentic: SealedFileError {
        .cryptography(
            CryptographyError(
                .authenticationFailure,
                "The file could not be opened: it was changed or cut off, or the key or passphrase is wrong."
            ))
    }

    /// Runs `body` and turns an error of SignetCrypto into this one.
    static func translatingErrors<Value: ~Copyable>(
        _ body: () throws(CryptographyError) -> Value
    ) throws(SealedFileError) -> Value {
        do {
            return try body()
        } catch {
            throw error.code == .authenticationFailure ? notAuthentic : .cryptography(error)
        }
    }
}

/// Reads into a part of a buffer; gives the number of octets read, and 0 at the end of the input
/// alone.
package typealias SealedFileReading = (inout [UInt8], Range<Int>) throws(SystemFailure) -> Int
/// Writes all octets.
package typealias SealedFileWriting = (Span<UInt8>) throws(SystemFailure) -> Void
