// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts

extension GoTrueRefusal {
    /// The refusal for an error of second factors.
    static func factor(_ error: AccountError) -> GoTrueRefusal {
        switch error.code {
        case .tooManyFactors:
            GoTrueRefusal(
                422, code: "too_many_enrolled_mfa_factors",
                message: "Maximum number of verified factors reached, unenroll to continue")
        case .factorNameTaken:
            GoTrueRefusal(
                422, code: "mfa_factor_name_conflict",
                message: "A factor with the friendly name for this user already exists")
        case .unknownChallenge:
            GoTrueRefusal(
                422, code: "mfa_factor_not_found",
                message: "MFA factor with the provided challenge ID not found")
        case .challengeEnded:
            GoTrueRefusal(
                422, code: "mfa_challenge_expired",
                message: "MFA challenge has expired, verify against another challenge or create a "
                    + "new challenge.")
        case .factorNeeded:
            GoTrueRefusal(
                403, code: "insufficient_aal",
                message: "AAL2 session is required for this when MFA is enabled.")
        default: .factorNotFound  // unknownFactor
        }
    }

    static var factorNotFound: GoTrueRefusal {
        GoTrueRefusal(404, code: "mfa_factor_not_found", message: "Factor not found")
    }

    static var factorNotVerified: GoTrueRefusal {
        GoTrueRefusal(
            422, code: "mfa_verification_failed", message: "Invalid TOTP code entered")
    }

    /// A factor or identity in the path whose name is no UUID.
    static func noUUID(_ member: StaticString) -> GoTrueRefusal {
        GoTrueRefusal(
            404, code: "validation_failed", message: "\(shown: member.description) must be an UUID")
    }
}
