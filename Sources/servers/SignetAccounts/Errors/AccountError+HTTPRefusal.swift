// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE

extension AccountErrorDomain: RefusingDomain {
    /// The refusal of a request that failed with this error.
    public static func httpRefusal(of error: AccountError) -> HTTPRefusal {
        switch error.code {
        // A user who is deleted during a request loses the session too.
        case .invalidToken, .sessionEnded, .unknownUser: .invalidToken
        case .signInTooOld:
            .insufficientAuthentication(maximumAge: error.maximumAuthenticationAge)
        case .invalidGrant, .sessionExpired, .refreshTokenReused, .userBanned: .invalidGrant
        case .otherClient: .invalidClient
        case .missingClient, .wrongCode, .passwordTooShort, .invalidDestination: .badRequest
        case .conflict, .identityTaken, .lastIdentity, .nameTaken, .alreadyMigrated,
            .tooManyFactors, .factorNameTaken:
            .conflict
        case .tooManyRequests: .tooManyRequests.retrying(afterSeconds: error.wholeSeconds)
        case .unavailable, .outcomeUnknown, .cancelled, .busy, .tokenTooLarge:
            .unavailable.retrying(afterSeconds: error.wholeSeconds)
        default: .internalError
        }
    }
}

extension AccountError {
    /// The wait in whole seconds, rounded up, because the header field has no fractions.
    fileprivate var wholeSeconds: Int? {
        retryAfter.map { Int(clamping: $0.secondsUp) }
    }
}
