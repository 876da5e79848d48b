// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
public import SignetSignIn

/// A password as a person typed it: 1 to 1,024 bytes of UTF-8 without a zero byte. Printing it does
/// not show it, and its memory is wiped.
///
/// The bytes count as they are given. Nothing is trimmed, folded, cut off or normalised (neither
/// NFC nor SASLprep): where keyboards spell one letter in two ways, normalise the text before, at
/// sign-up and at sign-in. **Not** checked: how easily it is guessed, which lists of leaked
/// passwords tell.
public struct Password: Sendable, Redacted {
    /// The longest password. A longer one is refused, never cut off.
    public static let maximumByteCount = 1024

    let bytes: SecretKey

    /// A password from a form.
    ///
    /// - Throws: `invalidPassword` for an empty text, one of more than 1,024 bytes, or a zero byte.
    public init(_ text: String) throws(SignInInputError) {
        // Zero bytes at the end would count for nothing: HMAC in scrypt fills its key up with them.
        guard (1...Self.maximumByteCount).contains(text.utf8.count), !text.utf8.contains(0) else {
            throw SignInInputError(.invalidPassword, "Please enter 1 to 1,024 characters.")
        }
        bytes = SecretKey(copying: text.utf8)
    }

    /// As people count: a character outside of ASCII is one, though it has several bytes.
    var scalarCount: Int {
        bytes.withExposedBytes { bytes in
            bytes.indices.count { bytes[$0] & 0xc0 != 0x80 }
        }
    }
}

extension SignInInputError.Code {
    /// An empty password, or one that is too long.
    public static var invalidPassword: Self { Self(rawValue: "invalidPassword") }
}
