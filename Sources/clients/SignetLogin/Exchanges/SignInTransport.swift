// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetIdentity
internal import SignetSession

/// The transport of a sign-in. It holds the request whose answer has tokens until the program says
/// that they are stored, and no longer than the answer if it has none.
struct SignInTransport: IdentityTransport {
    let transport: any IdentityTransport
    let hold: (any ExchangeHold)?
    /// Whether a POST to this address may be answered with tokens.
    let givesTokens: @Sendable (EndpointURL) -> Bool

    func exchange(
        _ request: TransportRequest
    ) async throws(TransportFailure) -> TransportResponse {
        guard let hold, request.method == .post, givesTokens(request.url) else {
            return try await transport.exchange(request)
        }
        do throws(SessionError) {
            try hold.begin(.signIn)
        } catch {
            throw TransportFailure(.cancelled, underlying: error, "\(messageOf: error)")
        }
        do {
            let response = try await transport.exchange(request)
            if !(200...299).contains(response.status) { hold.releaseSignIn() }
            return response
        } catch {
            hold.releaseSignIn()
            throw error
        }
    }
}
