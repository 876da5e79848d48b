// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCurl
internal import SignetIdentity
internal import SignetPlatform

/// The transport of a sign-in. It holds signals back from the request whose answer has tokens until
/// the command settles `RunningExchange`, and no longer than the answer if it has none.
struct SignInTransport: IdentityTransport {
    /// Whether a POST to this address may be answered with tokens.
    let givesTokens: @Sendable (EndpointURL) -> Bool

    func exchange(
        _ request: TransportRequest
    ) async throws(TransportFailure) -> TransportResponse {
        guard request.method == .post, givesTokens(request.url) else {
            return try await CurlTransport.curl.exchange(request)
        }
        do throws(SystemFailure) {
            try RunningExchange.current.begin(.signIn, notice: Output.exchangeNotice)
        } catch {
            throw TransportFailure(.cancelled, "The server was not asked: \(error).")
        }
        do {
            let response = try await CurlTransport.curl.exchange(request)
            if !(200...299).contains(response.status) { RunningExchange.current.releaseSignIn() }
            return response
        } catch {
            RunningExchange.current.releaseSignIn()
            throw error
        }
    }
}
