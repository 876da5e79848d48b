// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// An authorization code, which the token endpoint redeems once. Printing shows nothing of it.
public struct AuthorizationCode: Sendable, Redacted {
    /// The longest code, in bytes.
    public static var maximumByteCount: Int { 4_096 }

    /// The code.
    public let exposedText: String

    /// A code that did not come in a callback, such as one that an app received and sends to its
    /// server.
    ///
    /// - Throws: `malformed` unless it is printable ASCII and not empty (RFC 6749, appendix A.11);
    ///   `tooLarge` over 4,096 bytes.
    public init(_ text: String) throws(AuthorizationError) { try self.init(ReceivedText(text)) }

    init(_ text: ReceivedText) throws(AuthorizationError) {
        guard text.byteCount <= Self.maximumByteCount else {
            throw AuthorizationError(
                .tooLarge, "The code is longer than \(Self.maximumByteCount) bytes.")
        }
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) else {
            throw AuthorizationError(.malformed, "A code is printable ASCII, and not empty.")
        }
        exposedText = text.swiftString()
    }
}
