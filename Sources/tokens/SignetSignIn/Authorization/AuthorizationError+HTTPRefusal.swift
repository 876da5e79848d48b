// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE

extension AuthorizationErrorDomain: RefusingDomain {
    /// The answer to the request that failed with it.
    public static func httpRefusal(of error: AuthorizationError) -> HTTPRefusal {
        switch error.code {
        case .refused: refusal(to: error.refusal?.registeredError)
        case .subjectMismatch: .forbidden
        case .unavailable, .cancelled, .storeUnavailable: .unavailable
        case .invalidResponse, .formMismatch, .pkceRequired, .libraryFailure: .internalError
        default: .badRequest
        }
    }

    /// - Parameter error: the provider's error, if it is registered.
    private static func refusal(to error: String?) -> HTTPRefusal {
        switch error {
        case "server_error", "temporarily_unavailable": .unavailable
        // The person declined or must be asked again, or the code was used or has expired.
        case nil, "access_denied", "invalid_grant", "interaction_required", "login_required",
            "account_selection_required", "consent_required", "invalid_token":
            .forbidden
        // The application's own request was wrong.
        default: .internalError
        }
    }
}
