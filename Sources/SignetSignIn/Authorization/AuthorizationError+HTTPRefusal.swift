// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetJOSE

extension AuthorizationErrorDomain: RefusingDomain {
    package static func httpRefusal(of error: AuthorizationError) -> HTTPRefusal {
        switch error.code {
        case .refused: answer(to: error.refusal?.registeredError)
        case .subjectMismatch: .forbidden
        case .unavailable, .cancelled, .storeUnavailable: .unavailable
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
            "account_selection_required", "consent_required", "invalid_token":
            .forbidden
        // What this application asked for, or how.
        default: .internalError
        }
    }
}
