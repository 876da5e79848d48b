// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
public import SignetIdentity

/// `nonce` of an authentication request: ties the ID token to this sign-in (OpenID Connect Core
/// 1.0, section 3.1.2.1).
///
/// Pass it to the request as ``Use/used(_:)``, store it with the state, pass it to the ID token
/// verifier, and use it once. Printing shows nothing of it.
public struct AuthorizationNonce: Sendable, Redacted {
    /// The value, as it is sent.
    public let exposedText: String

    /// A new value: 256 random bits as 43 characters.
    ///
    /// - Throws: `libraryFailure`.
    public init() throws(AuthorizationError) { exposedText = try RandomText.make() }

    /// A value that was stored during the sign-in.
    ///
    /// - Throws: `malformed` unless it has 22 (128 bits) to 512 unreserved characters, so that an
    ///   empty nonce never matches.
    public init(_ text: String) throws(AuthorizationError) {
        try RandomText.check(text, byteCount: 22...512)
        exposedText = text
    }

    /// Whether `text` is this value, in time that depends only on the lengths.
    public func matches(_ text: String) -> Bool {
        ConstantTime.areEqual(exposedText.utf8, text.utf8)
    }
}

extension NonceExpectation {
    /// The nonce of an ``AuthorizationRequest``.
    public static func raw(_ nonce: AuthorizationNonce) -> NonceExpectation {
        raw(nonce.exposedText)
    }
}
