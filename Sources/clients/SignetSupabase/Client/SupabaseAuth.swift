// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetIdentity

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
/// **Not** included: calls that need a secret or service-role key, such as deleting a user, which a
/// server makes with `SupabaseAdmin` of the product `SignetSupabaseAdmin`; factors, SAML single sign-on, passkeys, Web3; the implicit flow, whose tokens travel in
/// addresses. **Not** checked: access tokens. Servers verify them with ``SupabaseTokenVerifier``.
public struct SupabaseAuth: Sendable, CustomStringConvertible, CustomReflectable {
    /// The project.
    public var project: SupabaseProject { server.project }
    private let server: SupabaseServer
    private let fields: [TransportRequest.Field]

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
        try ProjectKey.checkPublishable(publishableKey)
        let key = try TransportRequest.Field(name: "apikey", value: publishableKey)
        let isOwn = { (field: TransportRequest.Field) in
            field.isNamed("apikey") || field.isNamed("x-supabase-api-version")
        }
        guard !fields.contains(where: isOwn) else {
            throw IdentityConfigurationError(
                .contradiction, "apikey and X-Supabase-Api-Version are set by the client itself.")
        }
        server = try SupabaseServer(project, transport: transport, timeout: timeout)
        self.fields = [key] + fields
    }

    /// The project.
    public var description: String { "SupabaseAuth(\(project.url))" }

    /// Only the project.
    public var customMirror: Mirror { Mirror(self, children: ["project": project.url.text]) }

    /// Sends a request, once.
    @discardableResult
    func send(_ call: SupabaseCall) async throws(SupabaseError) -> SupabaseAnswer {
        try await server.send(call, fields: fields)
    }
}
