// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetEmail
public import SignetJOSE

extension IdentityErrorDomain: RefusingDomain {
    /// The answer to the request that failed with it.
    public static func httpRefusal(of error: IdentityError) -> HTTPRefusal {
        switch error.code {
        case .keySourceUnavailable, .introspectionUnavailable:
            .unavailable.retrying(afterSeconds: error.retryAfterSeconds)
        // Without a time (`refusesHeldBackKeys`) the refusal is 401.
        case .keyHeldBack where error.retryAfterSeconds != nil:
            .unavailable.retrying(afterSeconds: error.retryAfterSeconds)
        case .libraryFailure, .unsupportedType, .introspectionFailed: .internalError
        case .insufficientScope: .insufficientScope(error.scopes)
        default: .invalidToken
        }
    }
}

extension KeySourceErrorDomain: RefusingDomain {
    /// The answer to the request that failed with it.
    public static func httpRefusal(of error: KeySourceError) -> HTTPRefusal {
        // A retry does not mend a wrong issuer.
        error.code == .issuerMismatch
            ? .internalError : .unavailable.retrying(afterSeconds: error.retryAfterSeconds)
    }
}

extension MailboxErrorDomain: RefusingDomain {
    /// The answer to the request that failed with it.
    public static func httpRefusal(of error: MailboxError) -> HTTPRefusal { .badRequest }
}
