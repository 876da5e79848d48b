// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetJOSE

/// Unguessable values, as text that needs no escaping in URLs, cookies and tokens.
enum RandomText {
    /// Makes a value of 256 random bits, which cannot be guessed.
    static func make() throws(AuthorizationError) -> String {
        do throws(CryptographyError) {
            return Base64URL.encode(try SecureRandom.bytes(count: 32))
        } catch {
            throw AuthorizationError(
                .libraryFailure, underlying: error, "libcrypto has no randomness.")
        }
    }

    /// Checks that a text may come from ``make()`` or an equally careful program: unreserved
    /// characters only, and long enough.
    static func check(_ text: String, byteCount counts: ClosedRange<Int>) throws(AuthorizationError)
    {
        guard counts.contains(text.utf8.count), text.utf8.allSatisfy(FormEncoding.isUnreserved)
        else {
            throw AuthorizationError(
                .malformed,
                "A value has \(counts.lowerBound) to \(counts.upperBound) letters, digits and \"-._~\"."
            )
        }
    }
}
