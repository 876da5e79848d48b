// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetIdentity
internal import SignetSignIn

extension APIError {
    /// The error of a request for which there is no token.
    init(_ error: SessionError) {
        let (code, message): (Code, ErrorMessage) =
            switch error.code {
            case .signedOut: (.notSignedIn, "\(reported: SignInText.notAuthenticated)")
            case .expired, .refused: (.notSignedIn, "\(reported: SignInText.sessionExpired)")
            case .unreachable: (.offline, "\(reported: SignInText.noConnection)")
            case .timedOut: (.timedOut, Self.noAnswer)
            case .cancelled: (.cancelled, "The request was cancelled.")
            case .locked: (.sessionUnavailable, "Please unlock your stored session.")
            default:
                (.sessionUnavailable, "You are still signed in. Please try again in a moment.")
            }
        self.init(code, details: .init(), underlying: error, message)
    }

    /// The error of a request without a response.
    init(_ failure: TransportFailure) {
        let (code, message): (Code, ErrorMessage) =
            switch failure.code {
            case .timedOut: (.timedOut, Self.noAnswer)
            case .notTrusted, .notPinned:
                (.notTrusted, "The connection is not secure, and nothing was sent.")
            case .bodyTooLarge: (.answerTooLarge, "The server's answer is too long.")
            case .invalidResponse: (.invalidAnswer, "The server's answer could not be read.")
            case .invalidRequest:
                (.invalidRequest, "The request cannot be sent: \(messageOf: failure)")
            case .cancelled: (.cancelled, "The request was cancelled.")
            default: (.offline, "\(reported: SignInText.noConnection)")
            }
        self.init(code, details: .init(), underlying: failure, message)
    }

    /// The error of a response with a status outside 200 to 299.
    init(_ response: TransportResponse) {
        let stepUp = StepUpChallenge(response)
        let (code, message): (Code, ErrorMessage) =
            switch response.status {
            case 401 where stepUp != nil:
                (.insufficientAuthentication, "Please sign in again to do this.")
            case 401: (.unauthorized, "The server did not accept your sign-in.")
            case 403: (.forbidden, "You do not have permission to do this.")
            default: (.status, "\(reported: SignInText.httpError(response.status))")
            }
        self.init(
            code,
            details: .init(
                status: response.status, response: response,
                maximumAuthenticationAge: stepUp?.maximumAuthenticationAge), message)
    }

    private static var noAnswer: ErrorMessage {
        "The server took too long to answer. Please try again."
    }
}
