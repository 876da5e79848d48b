// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetSignIn

extension APIError {
    /// A short sentence to show to the person (`SignInText`), by the code alone. `message` says
    /// more.
    public var userMessage: String {
        switch code {
        case .notSignedIn, .insufficientAuthentication: SignInText.signInToContinue
        case .forbidden: SignInText.notPermitted
        case .offline, .timedOut: SignInText.offline
        default: SignInText.somethingWrong
        }
    }

    /// The sentence where the request was to delete the person's account, which is still there.
    public var deletionMessage: String {
        switch code {
        case .status, .unauthorized, .invalidAnswer, .answerTooLarge: SignInText.accountNotDeleted
        default: userMessage
        }
    }
}
