// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

/// A one-time code: 6 to 10 ASCII digits, including leading zeros.
///
/// Printing does not show the code, its memory is wiped, and comparing two codes takes time that
/// depends only on their lengths. **Not** checked: that the code is right, which its server
/// decides.
public struct OneTimeCode: Sendable, Equatable, Redacted {
    /// The allowed numbers of digits.
    public static let digitCounts = 6...10

    private let digits: SecretKey

    /// Reads a code that a person typed. Spaces and hyphens are rejected: a form that allows them
    /// must remove them first.
    ///
    /// - Parameters:
    ///   - text: the text that the person typed.
    ///   - digitCount: the number of digits in the server's codes.
    /// - Throws: `invalidCode`; `invalidLength` for a count below 6 or above 10.
    public init(_ text: String, digitCount: Int = 6) throws(SignInInputError) {
        guard Self.digitCounts.contains(digitCount) else {
            throw SignInInputError(.invalidLength, "A one-time code has 6 to 10 digits.")
        }
        guard text.utf8.count == digitCount, text.utf8.allSatisfy(\.isDigit) else {
            throw SignInInputError(
                .invalidCode, "\(reported: SignInText.enterCode(digitCount: digitCount))")
        }
        digits = SecretKey(copying: text.utf8)
    }

    /// The number of digits.
    public var digitCount: Int { digits.byteCount }

    /// The code itself, for its server or its message.
    public var exposedText: String {
        digits.withExposedBytes { bytes in
            String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
        }
    }
}
