// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetIdentity
internal import SignetJOSE

/// A client of a Supabase project's authentication server (GoTrue). People sign in with it, and it
/// keeps them signed in when it is the `SessionBackend` of a `SessionManager`.
///
/// ```swift
/// let auth = try SupabaseAuth(
///     project, publishableKey: "sb_publishable_…", transport: .curl)
/// let manager = try SessionManager(store: vault, service: "supabase", backend: auth)
/// // A code by phone, and the session.
/// let phone = SupabaseDestination.phone(try PhoneNumber("+14155551234"))
/// try await auth.sendCode(to: phone)
/// try await manager.adopt(auth.verify(OneTimeCode(typed), sentTo: phone))
/// ```
///
/// Each call sends one request and never repeats it. Responses are read strictly, up to 262,144
/// bytes; no text of the server gets into an error. The client keeps no state: the manager keeps
/// sessions, and the caller keeps a ``SupabaseSignIn`` for a sign-in by browser.
///
/// **Not** included: calls that need a secret or service-role key (managing and deleting users);
/// factors, SAML single sign-on, passkeys, Web3; the implicit flow, whose tokens travel in
/// addresses. **Not** checked: access tokens. Servers verify them with ``SupabaseTokenVerifier``.
public struct SupabaseAuth: Sendable, CustomStringConvertible, CustomReflectable {
    /// The project.
    public let project: SupabaseProject
    private let fields: [TransportRequest.Field]
    private let transport: any IdentityTransport
    private let timeout: Duration

    /// Makes a client of a project.
    ///
    /// - Parameters:
    ///   - project: the project.
    ///   - publishableKey: `sb_publishable_…`, or the anon key. A GoTrue without Supabase's gateway
    ///     ignores it: use `sb_publishable_none`.
    ///   - fields: further header fields of every request, such as `x-app-version`.
    ///   - transport: sends the requests.
    ///   - timeout: the limit for a whole exchange, up to 60 s.
    /// - Throws: `invalidSecret` for every key that is not publishable, such as a secret or
    ///   service-role key; `contradiction` for a field that the client sets itself; `outOfRange`.
    public init(
        _ project: SupabaseProject, publishableKey: String, fields: [TransportRequest.Field] = [],
        transport: some IdentityTransport, timeout: Duration = .seconds(10)
    ) throws(IdentityConfigurationError) {
        try PublishableKey.check(publishableKey)
        let own = try [
            TransportRequest.Field(name: "apikey", value: publishableKey),
            // The API version whose errors have codes.
            TransportRequest.Field(name: "X-Supabase-Api-Version", value: "2024-01-01"),
        ]
        let isOwn = { (field: TransportRequest.Field) in
            field.isNamed("apikey") || field.isNamed("x-supabase-api-version")
        }
        guard !fields.contains(where: isOwn) else {
            throw IdentityConfigurationError(
                .contradiction, "apikey and X-Supabase-Api-Version are set by the client itself.")
        }
        try TransportRequest.checkTimeout(timeout)
        self.project = project
        self.fields = own + fields
        self.transport = transport
        self.timeout = timeout
    }

    /// The project.
    public var description: String { "SupabaseAuth(\(project.url))" }

    /// Only the project.
    public var customMirror: Mirror { Mirror(self, children: ["project": project.url.text]) }

    /// Sends a request, once.
    @discardableResult
    func send(_ call: SupabaseCall) async throws(SupabaseError) -> SupabaseAnswer {
        let bearer = call.bearer.map { "Bearer " + $0.exposedText }
        let request = TransportRequest(
            url: try call.url(below: project.authURL), method: call.method, body: try call.body(),
            authorization: bearer, fields: fields,
            maximumBodyByteCount: SupabaseAnswer.maximumByteCount, timeout: timeout)
        // A separate time limit: a sign-in must not wait for a transport that hangs.
        switch await TimedExchange.outcome(of: request, over: transport, clock: .system) {
        case .success(let response): return try SupabaseAnswer(response)
        case .failure(let failure): throw Self.error(failure)
        }
    }

    private static func error(_ failure: TransportFailure) -> SupabaseError {
        switch failure.code {
        case .cancelled: SupabaseError(.cancelled, underlying: failure, "The call was cancelled.")
        case .timedOut:
            SupabaseError(.timedOut, underlying: failure, "The server did not answer in time.")
        case .notTrusted, .notPinned:
            SupabaseError(
                .notTrusted, underlying: failure,
                "The server's certificate, or its key, is not trusted.")
        case .invalidRequest:
            SupabaseError(
                .invalidInput, underlying: failure,
                "The transport does not send such a request: none was.")
        case .bodyTooLarge, .invalidResponse:
            SupabaseError(
                .invalidAnswer, underlying: failure,
                "There was no answer of GoTrue's (\(failure.code)).")
        default:
            SupabaseError(
                .unreachable, underlying: failure, "There was no connection (\(failure.code)).")
        }
    }
}
