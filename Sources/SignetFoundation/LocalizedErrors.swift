// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
public import SignetCrypto
public import SignetEmail
public import SignetIdentity
public import SignetJOSE
public import SignetSignIn

// `localizedDescription`, which most frameworks log, says what each error says of itself: its code
// and a sentence. Without this module it is "The operation could not be completed". Nothing is
// translated.

extension CryptoError: LocalizedError {
    /// The code and the sentence.
    public var errorDescription: String? { description }
}

extension JOSEEncodingError: LocalizedError {
    /// The sentence.
    public var errorDescription: String? { description }
}

extension JSONError: LocalizedError {
    /// The sentence, with the place.
    public var errorDescription: String? { description }
}

extension KeyError: LocalizedError {
    /// The code and the sentence.
    public var errorDescription: String? { description }
}

extension TokenError: LocalizedError {
    /// The code, the claim and the sentence.
    public var errorDescription: String? { description }
}

extension IdentityError: LocalizedError {
    /// The code, the claim and the sentence.
    public var errorDescription: String? { description }
}

extension IdentityConfigurationError: LocalizedError {
    /// The code and the sentence.
    public var errorDescription: String? { description }
}

extension BearerTokenError: LocalizedError {
    /// The code and the sentence.
    public var errorDescription: String? { description }
}

extension KeySourceError: LocalizedError {
    /// The code and the sentence.
    public var errorDescription: String? { description }
}

extension AuthorizationError: LocalizedError {
    /// The code, the provider's error code where it is a registered one, and the sentence.
    public var errorDescription: String? { description }
}

extension MailboxError: LocalizedError {
    /// The code and the sentence.
    public var errorDescription: String? { description }
}

extension EmailListError: LocalizedError {
    /// The code, the line and the sentence.
    public var errorDescription: String? { description }
}

extension EmailPolicyError: LocalizedError {
    /// The code and the sentence.
    public var errorDescription: String? { description }
}
