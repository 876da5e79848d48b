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
    package var httpRefusal: HTTPRefusal { .unavailable.retrying(afterSeconds: retryAfterSeconds) }
}

extension BearerTokenError: RefusesRequest {
    /// A request without a token is told no reason (RFC 6750, section 3.1).
    package var httpRefusal: HTTPRefusal {
        code == .missing || code == .otherScheme ? .authenticate : .invalidRequest
    }
}

extension AuthorizationError: RefusesRequest {
    package var httpRefusal: HTTPRefusal {
        switch code {
        case .refused: Self.answer(to: refusal?.registeredError)
        case .unavailable, .cancelled: .unavailable
        case .invalidResponse, .pkceRequired, .libraryFailure: .internalError
        default: .badRequest
        }
    }

    /// - Parameter error: of the provider, where it is a registered one.
    private static func answer(to error: String?) -> HTTPRefusal {
        switch error {
        case "server_error", "temporarily_unavailable": .unavailable
        // The person said no, or has to be asked again; the code was used or is over.
        case nil, "access_denied", "invalid_grant", "interaction_required", "login_required",
            "account_selection_required", "consent_required":
            .forbidden
        // What this application asked for, or how.
        default: .internalError
        }
    }
}

extension MailboxError: RefusesRequest {
    package var httpRefusal: HTTPRefusal { .badRequest }
}
