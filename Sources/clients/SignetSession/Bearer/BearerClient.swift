// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase
public import SignetIdentity
internal import SignetJSON

/// Calls an API for the signed-in user: adds the access token of a ``SessionManager`` to requests,
/// but only to the given origins.
///
/// ```swift
/// let api = try EndpointURL("https://api.example/v1")
/// let client = try BearerClient(manager: manager, transport: .curl, origins: [api])
/// let request = try TransportRequest(
///     url: api.appending(path: "notes"), method: .post,
///     body: TransportRequest.Body(Array("{}".utf8), contentType: "application/json"))
/// let note = try await client.decode(Note.self, from: request)
/// ```
///
/// After a 401 the request is retried once with a new token, whatever its method: a server that
/// does not know the caller has done nothing. If the retry gets a 401 too, the request fails, and
/// the manager asks the authentication server once more. Only that server's refusal ends the
/// session. 401s cause at most two exchanges a minute, however many requests get them, so that a
/// misconfigured API cannot make its clients flood the authentication server. A 401 that asks for a
/// fresh sign-in (RFC 9470) is `insufficientAuthentication` at once. No other failure is retried.
/// No redirect is followed: a 3xx is an error with its response.
///
/// No token is kept here or globally: two clients in one process do not mix, and a person's request
/// is never retried with another person's token.
///
/// **Not** checked: the content of the API's responses.
public struct BearerClient: Sendable, Redacted {
    /// The default limit of a sent body, in bytes.
    public static var defaultMaximumSentByteCount: Int { 1_048_576 }

    private let manager: SessionManager
    private let transport: any IdentityTransport
    private let origins: [EndpointURL]
    private let maximumSentByteCount: Int
    private let challenges: TokenChallenges

    /// Makes a client of an API.
    ///
    /// - Parameters:
    ///   - manager: provides the token.
    ///   - transport: sends the requests.
    ///   - origins: where the token may go, by scheme, host and port; paths do not count.
    ///   - maximumSentByteCount: the limit of a request's body, in bytes.
    /// - Throws: ``APIError`` `invalidOption` without an origin or with a negative limit.
    public init(
        manager: SessionManager, transport: some IdentityTransport, origins: [EndpointURL],
        maximumSentByteCount: Int = defaultMaximumSentByteCount
    ) throws(APIError) {
        guard !origins.isEmpty else {
            throw APIError(
                .invalidOption, "The list of origins is empty: the token could go nowhere.")
        }
        guard maximumSentByteCount >= 0 else {
            throw APIError(
                .invalidOption, "maximumSentByteCount is 0 or more, not \(maximumSentByteCount).")
        }
        self.manager = manager
        self.transport = transport
        self.origins = origins
        self.maximumSentByteCount = maximumSentByteCount
        challenges = TokenChallenges(manager)
    }

    /// Sends a request with the access token.
    ///
    /// - Parameter request: the request, without its own `Authorization`. Its limits apply to each
    ///   of at most two exchanges.
    /// - Returns: a response with a status of 200 to 299.
    /// - Throws: ``APIError``. `notSignedIn`, `otherOrigin`, `invalidRequest` and `requestTooLarge`
    ///   are thrown before anything is sent.
    @discardableResult
    public func send(_ request: TransportRequest) async throws(APIError) -> TransportResponse {
        try checkRequest(request)
        let token: AccessToken
        do {
            token = try await manager.accessToken()
        } catch {
            throw APIError(error)
        }
        let first = try await exchange(request, with: token)
        guard Self.refusesToken(first) else { return try Self.accepted(first) }
        guard let next = try await replacement(for: token) else { throw APIError(first) }
        let second = try await exchange(request, with: next)
        if Self.refusesToken(second) { try await askWhetherSessionEnded(with: next) }
        return try Self.accepted(second)
    }

    /// Sends a request and decodes the response's JSON with the strict reader (`StrictJSON`).
    ///
    /// Only the response's limit bounds strings. A `Date` is rejected: declare a ``Timestamp`` for
    /// ISO 8601 text and a `NumericDate` for seconds since 1970.
    ///
    /// - Throws: the errors of ``send(_:)``, and `invalidAnswer` for a response that is not JSON of
    ///   this type, or is empty (204).
    public func decode<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self, from request: TransportRequest
    ) async throws(APIError) -> Value {
        let response = try await send(request)
        do {
            return try StrictJSON.decode(
                type, from: response.body, maximumByteCount: max(0, request.maximumBodyByteCount))
        } catch {
            throw APIError(
                .invalidAnswer, details: .init(status: response.status, response: response),
                underlying: error, "The server's answer could not be read (\(error.code))."
            )
        }
    }

    /// Refuses a request to another origin, and a request that cannot be sent.
    private func checkRequest(_ request: TransportRequest) throws(APIError) {
        guard origins.contains(where: { $0.hasSameOrigin(as: request.url) }) else {
            throw APIError(
                .otherOrigin, "The address is not one of the API's: nothing was sent.")
        }
        guard request.authorization == nil else {
            throw APIError(.invalidRequest, "The request has an Authorization of its own.")
        }
        if let count = request.body?.bytes.count, count > maximumSentByteCount {
            throw APIError(
                .requestTooLarge,
                "The body has \(count) bytes instead of at most \(maximumSentByteCount): nothing was sent."
            )
        }
        do { try request.validate() } catch { throw APIError(error) }
    }

    /// A new token after a 401; nil if there is none to try.
    private func replacement(for token: AccessToken) async throws(APIError) -> AccessToken? {
        do {
            return try await challenges.replacement(for: token)
        } catch {
            // Without a refresh token there is nothing to exchange.
            guard error.code != .expired else { return nil }
            throw APIError(error)
        }
    }

    /// Asks the authentication server whether the session goes on. Unless that server ends the
    /// session, the result does not matter: the 401 is the request's error.
    private func askWhetherSessionEnded(with token: AccessToken) async throws(APIError) {
        do {
            _ = try await challenges.replacement(for: token)
        } catch {
            guard [.refused, .signedOut, .cancelled].contains(error.code) else { return }
            throw APIError(error)
        }
    }

    /// Sends the request with this token, and holds a transport to the request's limits.
    private func exchange(
        _ request: TransportRequest, with token: AccessToken
    ) async throws(APIError) -> TransportResponse {
        // A separate task sends the request, and may learn of a cancellation too late.
        // (`APIError` has a sentence of its own for a failure's code.)
        guard !Task.isCancelled else { throw APIError(TransportFailure(.cancelled, "")) }
        let authorized = TransportRequest(
            url: request.url, method: request.method, body: request.body, accept: request.accept,
            authorization: "Bearer \(token.exposedText)", fields: request.fields,
            maximumBodyByteCount: request.maximumBodyByteCount, timeout: request.timeout)
        // A caller's transport may ignore its time, its limit and its cancellation.
        let outcome = await TimedExchange.outcome(
            of: authorized, over: transport, clock: .system)
        switch outcome {
        case .failure(let failure): throw APIError(failure)
        case .success(let response):
            guard response.body.count <= max(0, request.maximumBodyByteCount) else {
                throw APIError(TransportFailure(.bodyTooLarge, ""))
            }
            return response
        }
    }

    /// Whether a new token may help after a 401. It does not if the API asks for a fresh sign-in
    /// (RFC 9470): every token of the session comes from the same sign-in.
    private static func refusesToken(_ response: TransportResponse) -> Bool {
        response.status == 401 && StepUpChallenge(response) == nil
    }

    private static func accepted(_ response: TransportResponse) throws(APIError)
        -> TransportResponse
    {
        guard (200...299).contains(response.status) else { throw APIError(response) }
        return response
    }
}
