// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

/// A one-time code: 6 to 10 digits of ASCII, leading zeros among them.
///
/// Printing it does not show it, its memory is wiped, and two are compared in time that depends on
/// their lengths only. **Not** checked: that it is the right one, which its server says.
public struct OneTimeCode: Sendable, Equatable, Redacted {
    /// How many digits a code may have.
    public static let digitCounts = 6...10

    private let digits: SecretKey

    /// A code that a person typed. Blanks and hyphens are refused: a form that allows them takes
    /// them away first.
    ///
    /// - Parameters:
    ///   - text: what the person typed.
    ///   - digitCount: how many digits the server's codes have.
    /// - Throws: `invalidCode`; `invalidLength` for a count below 6 or above 10.
    public init(_ text: String, digitCount: Int = 6) throws(SignInInputError) {
        guard Self.digitCounts.contains(digitCount) else {
            throw SignInInputError(.invalidLength, "A one-time code has 6 to 10 digits.")
        }
        guard text.utf8.count == digitCount, text.utf8.allSatisfy(\.isDigit) else {
            throw SignInInputError(
                .invalidCode, SignInText.enterCode(digitCount: digitCount))
        }
        digits = SecretKey(copying: text.utf8)
    }

    /// How many digits it has.
    public var digitCount: Int { digits.byteCount }

    /// The code itself, for its server or its message.
    public var exposedText: String {
        digits.withExposedBytes { bytes in
            String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
        }
    }
}
