// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

extension AuditObservation {
    /// The class of an error of a key.
    init(_ error: KeyError) {
        switch error.code {
        case .malformed, .tooLarge: self = .rejected(.malformed, error.description)
        case .unsupportedAlgorithm: self = .rejected(.algorithm, error.description)
        case .unsupportedKeyType, .invalidKeyMaterial, .keyTooShort, .algorithmMismatch,
            .algorithmRequired,
            .operationNotAllowed, .wrongKeyClass, .notASecret, .mixedKeySet, .duplicateKeyID:
            self = .rejected(.key, error.description)
        default: self = .failed(error.description)
        }
    }

    /// The class of an error of a token.
    init(_ error: TokenError) {
        switch error.code {
        case .malformed, .tooLarge: self = .rejected(.malformed, error.description)
        case .algorithmNotAllowed: self = .rejected(.algorithm, error.description)
        case .criticalUnsupported: self = .rejected(.critical, error.description)
        case .noMatchingKey, .ambiguousKey: self = .rejected(.key, error.description)
        case .signatureInvalid, .decryptionFailed:
            self = .rejected(.authentication, error.description)
        default: self = .failed(error.description)
        }
    }
}
