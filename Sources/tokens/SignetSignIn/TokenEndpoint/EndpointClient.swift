// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetIdentity

/// A client of a provider's endpoints (token, revocation, device, introspection): each request is a
/// single POST of a form, and is never repeated.
struct EndpointClient: Sendable {
    let clientID: String
    let authentication: ClientAuthentication
    private let transport: any IdentityTransport
    private let timeout: Duration
    private let maximumByteCount: Int

    /// - Throws: `invalidIdentifier`, `invalidSecret`, `outOfRange`.
    init(
        _ clientID: String, authentication: ClientAuthentication,
        transport: some IdentityTransport, timeout: Duration, maximumByteCount: Int
    ) throws(IdentityConfigurationError) {
        try Identifier.checkClient(clientID)
        try authentication.check()
        try TransportRequest.checkTimeout(timeout)
        if let fault = ParameterRange(
            "maximumByteCount", value: maximumByteCount, in: 1_024...1_048_576
        ).fault {
            throw IdentityConfigurationError(.outOfRange, fault)
        }
        self.clientID = clientID
        self.authentication = authentication
        self.transport = transport
        self.timeout = timeout
        self.maximumByteCount = maximumByteCount
    }

    /// Sends a form as this client.
    ///
    /// - Parameters:
    ///   - name: the endpoint's name in messages.
    ///   - secrets: texts that must not appear in an error.
    func ask(
        _ parameters: [(name: String, value: String)], at url: EndpointURL,
        from name: String = "token endpoint", secrets: [String]
    ) async throws(AuthorizationError) -> TokenEndpointAnswer {
        let proof = try authentication.proof(of: clientID)
        let secrets = secrets + proof.secrets
        let request = TransportRequest(
            url: url, method: .post,
            body: TransportRequest.Body(
                Array(FormEncoding.encode(parameters + proof.parameters).utf8),
                contentType: "application/x-www-form-urlencoded"),
            authorization: proof.authorization, maximumBodyByteCount: maximumByteCount,
            timeout: timeout)
        let response = try await EndpointExchange.response(
            to: request, from: name, over: transport)
        // The secrets are hidden as they are and as they were sent.
        return TokenEndpointAnswer(
            response, from: name, secrets: secrets + secrets.map(FormEncoding.encode))
    }
}
