// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetJOSE

/// `state` of an authorization request: ties the callback to the browser that began the sign-in
/// (RFC 6749, section 10.12).
///
/// Bind the state to that browser, in a cookie or its session record. A list of all issued states
/// is not enough: an attacker could still sign a victim in to the attacker's account. Use a state
/// once. Printing shows nothing of it.
public struct AuthorizationState: Sendable, Redacted {
    static var maximumByteCount: Int { 512 }

    /// The value, as it is sent.
    public let exposedText: String

    /// A new value: 256 random bits as 43 characters.
    ///
    /// - Throws: `libraryFailure`.
    public init() throws(AuthorizationError) { exposedText = try RandomText.make() }

    /// A value that was stored during the sign-in.
    ///
    /// - Throws: `malformed` unless it has 22 (128 bits) to 512 unreserved characters, so that an
    ///   empty state never matches.
    public init(_ text: String) throws(AuthorizationError) {
        try RandomText.check(text, byteCount: 22...Self.maximumByteCount)
        exposedText = text
    }

    /// Whether `text` is this value, in time that depends only on the lengths.
    public func matches(_ text: String) -> Bool {
        ConstantTime.areEqual(exposedText.utf8, text.utf8)
    }

    func matches(_ text: ReceivedText) -> Bool {
        ConstantTime.areEqual(exposedText.utf8, text.utf8)
    }
}
