// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetIdentity

/// One attempt to hand a message to a provider: a POST, which is never repeated here. ``Outbox``
/// repeats it.
struct ProviderRequest {
    /// Less than ``Outbox/sendingTime``, so that the outbox learns the reason.
    private static let timeout = Duration.seconds(20)

    let url: EndpointURL
    let body: TransportRequest.Body
    var authorization: String?
    var fields: [TransportRequest.Field] = []

    /// The response, with any status.
    ///
    /// - Throws: `cancelled`; `unavailable` if there is no complete response. The provider may have
    ///   taken the message even then.
    func send(over transport: any IdentityTransport) async throws(AccountError) -> TransportResponse
    {
        do {
            return try await transport.exchange(
                TransportRequest(
                    url: url, method: .post, body: body, authorization: authorization,
                    fields: fields, timeout: Self.timeout))
        } catch {
            throw AccountError(
                error.code == .cancelled ? .cancelled : .unavailable, underlying: error,
                "The provider of messages did not answer: \(messageOf: error)")
        }
    }
}
