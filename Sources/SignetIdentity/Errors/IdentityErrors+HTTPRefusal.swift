// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetEmail
package import SignetJOSE

extension IdentityErrorDomain: RefusingDomain {
    package static func httpRefusal(of error: IdentityError) -> HTTPRefusal {
        switch error.code {
        case .keySourceUnavailable, .introspectionUnavailable:
            .unavailable.retrying(afterSeconds: error.retryAfterSeconds)
        // Without a time it is not to be tried again.
        case .keyHeldBack where error.retryAfterSeconds != nil:
            .unavailable.retrying(afterSeconds: error.retryAfterSeconds)
        case .libraryFailure, .unsupportedType, .introspectionFailed: .internalError
        case .insufficientScope: .insufficientScope(error.scopes)
        default: .invalidToken
        }
    }
}

extension KeySourceErrorDomain: RefusingDomain {
    package static func httpRefusal(of error: KeySourceError) -> HTTPRefusal {
        // Time does not mend a wrong name.
        error.code == .issuerMismatch
            ? .internalError : .unavailable.retrying(afterSeconds: error.retryAfterSeconds)
    }
}

extension BearerTokenErrorDomain: RefusingDomain {
    /// A request without a token is told no reason (RFC 6750, section 3.1).
    package static func httpRefusal(of error: BearerTokenError) -> HTTPRefusal {
        error.code == .missing || error.code == .otherScheme ? .authenticate : .invalidRequest
    }
}

extension MailboxErrorDomain: RefusingDomain {
    package static func httpRefusal(of error: MailboxError) -> HTTPRefusal { .badRequest }
}
