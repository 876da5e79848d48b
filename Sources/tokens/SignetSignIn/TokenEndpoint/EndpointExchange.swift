// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetIdentity

/// An exchange with a provider's endpoint, within the request's time and limit.
enum EndpointExchange {
    /// The complete response, whatever its status.
    ///
    /// - Parameter name: the endpoint's name in messages.
    static func response(
        to request: TransportRequest, from name: String, over transport: any IdentityTransport
    ) async throws(AuthorizationError) -> TransportResponse {
        let response: TransportResponse
        // A separate time limit: a sign-in must not wait for a transport that hangs.
        switch await TimedExchange.outcome(of: request, over: transport, clock: .system) {
        case .success(let answer): response = answer
        case .failure(let failure):
            throw error(failure, from: name, limit: request.maximumBodyByteCount)
        }
        guard response.body.count <= request.maximumBodyByteCount else {
            throw error(
                .init(.bodyTooLarge, ""), from: name, limit: request.maximumBodyByteCount)
        }
        return response
    }

    /// Translates a transport's failure.
    private static func error(
        _ failure: TransportFailure, from name: String, limit: Int
    ) -> AuthorizationError {
        switch failure.code {
        case .cancelled:
            AuthorizationError(.cancelled, underlying: failure, "The exchange was cancelled.")
        case .bodyTooLarge:
            AuthorizationError(
                .invalidResponse, underlying: failure,
                "The \(shown: name)'s answer is longer than \(limit) bytes.")
        default:
            AuthorizationError(
                .unavailable, underlying: failure,
                "The \(shown: name) gave no complete answer (\(failure.code)).")
        }
    }
}
