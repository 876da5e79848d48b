// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

// Errors of the layers below become an `IdentityError`, which keeps their message:
//
// - `TokenError`, about any token and key: `noMatchingKey` becomes `unknownKid`.
// - `KeySourceError`, about fetching an issuer's keys: `timedOut` becomes `keySourceUnavailable`.
//
// Many codes of an `IdentityError` are named after what is at fault in the token (`alg`, `crit`,
// `kid`). Where the code of a `TokenError` has several causes, its `detail` tells them apart.

extension IdentityError {
    /// The message for outsiders, the same for every reason. Log the reason instead.
    public static let externalMessage = "The token was not accepted."

    /// Translates an error about any token to an error about an issuer's token.
    init(_ error: TokenError) {
        let keyProblem: KeyProblem? =
            switch (error.code, error.detail) {
            case (.ambiguousKey, _): .ambiguous
            case (.noMatchingKey, .noKeyID): .unnamed
            // No key has the token's `kid`, or the error is not about choosing a key.
            default: nil
            }
        self.init(
            Self.code(for: error),
            details: .init(
                claim: error.claim, retryAfterSeconds: nil, scopes: [], keyProblem: keyProblem),
            underlying: error.underlying, "\(messageOf: error)")
    }

    /// The code of the same fault.
    private static func code(for error: TokenError) -> Code {
        switch error.code {
        case .malformed:
            switch error.detail {
            case .duplicateMember: .duplicateMember
            case .encrypted: .encrypted
            default: .malformed  // The details of other codes, or none.
            }
        case .tooLarge: .tooLarge
        case .algorithmNotAllowed:
            error.detail == .unknownAlgorithm ? .unsupportedAlg : .algMismatch
        case .criticalUnsupported: .critUnknown
        case .noMatchingKey: error.detail == .unusableKey ? .keyUnusable : .unknownKid
        case .ambiguousKey: .unknownKid
        case .signatureInvalid: .badSignature
        case .decryptionFailed: .decryptionFailed
        case .typeMismatch: .typeMismatch
        case .issuerMismatch: .issuer
        case .audienceMismatch: .audienceMissing
        case .expired: .expired
        case .notYetValid: error.claim == "iat" ? .issuedInFuture : .notYetValid
        case .tooOld: .tooOld
        case .libraryFailure: .libraryFailure
        case .unsupportedType: .unsupportedType
        case .senderBound: .senderBound
        case .claimMissing: code(forClaim: error.claim) ?? .claimMissing
        case .claimInvalid: code(forClaim: error.claim) ?? .claimInvalid
        // `TokenError.Code` is no enum, so the compiler asks for a default. It stands for
        // `invalidPolicy` and `signingFailed`, which no verification throws.
        default: .malformed
        }
    }

    /// The code of a claim that has its own, whether missing or of a wrong type; nil for all
    /// others.
    private static func code(forClaim claim: String?) -> Code? {
        switch claim {
        case "iss": .issuer
        case "aud": .audienceMissing
        case "sub": .subject
        default: nil
        }
    }

    /// Translates an error of fetching an issuer's keys to an error about its token.
    package init(_ error: KeySourceError) {
        switch error.code {
        case .keyHeldBack:
            self.init(
                .keyHeldBack, retryAfterSeconds: error.retryAfterSeconds, underlying: error,
                "\(messageOf: error)")
        case .cancelled:
            self.init(
                .keySourceUnavailable,
                underlying: error,
                "The task was cancelled while the issuer's keys were being fetched.")
        // Every other fault of a fetch: no answer, a wrong status, an unreadable document.
        default:
            self.init(
                .keySourceUnavailable, retryAfterSeconds: error.retryAfterSeconds,
                underlying: error, "The issuer's keys are unavailable (\(error.code)).")
        }
    }
}
