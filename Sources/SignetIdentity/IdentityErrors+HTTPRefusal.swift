// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetEmail
package import SignetJOSE

extension IdentityError: RefusesRequest {
    package var httpRefusal: HTTPRefusal {
        switch code {
        case .keySourceUnavailable: .unavailable.retrying(afterSeconds: retryAfterSeconds)
        // Without a time it is not to be tried again.
        case .keyHeldBack where retryAfterSeconds != nil:
            .unavailable.retrying(afterSeconds: retryAfterSeconds)
        case .libraryFailure, .unsupportedType: .internalError
        case .insufficientScope: .insufficientScope(scopes)
        default: .invalidToken
        }
    }
}

extension KeySourceError: RefusesRequest {
    package var httpRefusal: HTTPRefusal {
        // Time does not mend a wrong name.
        code == .issuerMismatch
            ? .internalError : .unavailable.retrying(afterSeconds: retryAfterSeconds)
    }
}

extension BearerTokenError: RefusesRequest {
    /// A request without a token is told no reason (RFC 6750, section 3.1).
    package var httpRefusal: HTTPRefusal {
        code == .missing || code == .otherScheme ? .authenticate : .invalidRequest
    }
}

extension MailboxError: RefusesRequest {
    package var httpRefusal: HTTPRefusal { .badRequest }
}
