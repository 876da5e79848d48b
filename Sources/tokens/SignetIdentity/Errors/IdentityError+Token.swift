// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

extension IdentityError {
    /// The message for outsiders, the same for every reason. Log the reason instead.
    public static let externalMessage = "The token was not accepted."

    /// Translates an error about keys and claims to an error about an issuer's token.
    init(_ error: TokenError) {
        let keyProblem: KeyProblem? =
            switch (error.code, error.detail) {
            case (.ambiguousKey, _): .ambiguous
            case (.noMatchingKey, .noKeyID): .unnamed
            default: nil
            }
        self.init(
            Self.code(error),
            details: .init(
                claim: error.claim, retryAfterSeconds: nil, scopes: [], keyProblem: keyProblem),
            underlying: error.underlying, "\(messageOf: error)")
    }

    private static func code(_ error: TokenError) -> Code {
        switch error.code {
        case .malformed:
            switch error.detail {
            case .duplicateMember: .duplicateMember
            case .encrypted: .encrypted
            default: .malformed
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
        case .claimMissing: ownCode(error.claim) ?? .claimMissing
        case .claimInvalid: ownCode(error.claim) ?? .claimInvalid
        default: .malformed
        }
    }

    /// Claims that have their own code, whether missing or of a wrong type.
    private static func ownCode(_ claim: String?) -> Code? {
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
        default:
            self.init(
                .keySourceUnavailable, retryAfterSeconds: error.retryAfterSeconds,
                underlying: error, "The issuer's keys are unavailable (\(error.code)).")
        }
    }
}
