// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
public import SignetSignIn

/// A password as typed: 1 to 1,024 bytes of UTF-8 without a zero byte. Printing does not show it,
/// and its memory is wiped.
///
/// The bytes are used as given. Nothing is trimmed, folded, cut off or normalised (neither NFC nor
/// SASLprep). If keyboards spell a letter in two ways, normalise the text first, at sign-up and at
/// sign-in. **Not** checked: how easy the password is to guess; use lists of leaked passwords for
/// that.
public struct Password: Sendable, Redacted {
    /// The longest password. A longer password is rejected, never cut off.
    public static let maximumByteCount = 1024

    let bytes: SecretKey

    /// A password from a form.
    ///
    /// - Throws: `invalidPassword` for a text that is empty, has more than 1,024 bytes, or contains
    ///   a zero byte.
    public init(_ text: String) throws(SignInInputError) {
        // Zero bytes at the end would not count, because HMAC in scrypt pads its key with them.
        guard (1...Self.maximumByteCount).contains(text.utf8.count), !text.utf8.contains(0) else {
            throw SignInInputError(.invalidPassword, "Please enter 1 to 1,024 characters.")
        }
        bytes = SecretKey(copying: text.utf8)
    }

    /// Calls `body` with the bytes, which are valid only during the call: for a list of leaked
    /// passwords. Anything that `body` copies is no longer protected.
    public func withExposedBytes<R, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        try bytes.withExposedBytes(body)
    }

    /// A copy for a derivation, wiped with it.
    var secret: SecretBytes {
        var copy = SecretBytes(copying: [])
        bytes.withExposedBytes { copy = SecretBytes(copying: $0) }
        return copy
    }

    /// The length as people count it: a non-ASCII character counts once, though it has several
    /// bytes.
    var scalarCount: Int {
        bytes.withExposedBytes { bytes in
            bytes.indices.count { bytes[$0] & 0xc0 != 0x80 }
        }
    }
}

extension SignInInputError.Code {
    /// A password that is empty, too long, or contains a zero byte.
    public static var invalidPassword: Self { Self(rawValue: "invalidPassword") }
}
