// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetCrypto
public import SignetIdentity
internal import SignetJOSE
public import SignetSupabase

/// The administrator's calls to a Supabase project, for your server: reading, changing, banning and
/// deleting any user.
///
/// ```swift
/// let admin = try SupabaseAdmin(
///     project, secretKey: SecretBytes(copying: secretKey), transport: .curl)
/// ```
///
/// It is the only type that takes a secret key. Whoever has that key reads and writes all of the
/// project's data: keep it on the server, in a store or the environment, and make the calls only
/// for a person whom the server has recognised (`SupabaseTokenVerifier`).
///
/// Each call sends one request, follows no redirect and repeats nothing. After `timedOut`,
/// `unreachable` or `serverFailed` a change may have happened: make it again. No text of the
/// server gets into an error. The key is wiped with the last copy of this value; each request holds
/// a copy of its own while it lasts.
///
/// **Not** checked: whether the key belongs to the project, which says so itself (`keyRefused`).
public struct SupabaseAdmin: Sendable, CustomStringConvertible, CustomReflectable {
    /// The project.
    public var project: SupabaseProject { server.project }
    private let server: SupabaseServer
    private let key: SupabaseSecretKey

    /// Makes a client with the project's secret key.
    ///
    /// - Parameters:
    ///   - project: the project.
    ///   - secretKey: `sb_secret_…`, or the older service_role key. A GoTrue without Supabase's
    ///     gateway takes only the latter.
    ///   - transport: sends the requests.
    ///   - timeout: the limit for a whole exchange, up to 60 s.
    /// - Throws: `invalidSecret` for every other key, such as a publishable or anon key;
    ///   `outOfRange`.
    public init(
        _ project: SupabaseProject, secretKey: borrowing SecretBytes,
        transport: some IdentityTransport, timeout: Duration = .seconds(10)
    ) throws(IdentityConfigurationError) {
        key = try SupabaseSecretKey(secretKey)
        server = try SupabaseServer(
            project, answers: .ofManyUsers, transport: transport, timeout: timeout)
    }

    /// The project.
    public var description: String { "SupabaseAdmin(\(project.url))" }

    /// Only the project.
    public var customMirror: Mirror { Mirror(self, children: ["project": project.url.text]) }

    /// Sends a request below `/admin`, once.
    @discardableResult
    func send(
        _ method: TransportRequest.Method, to path: String,
        query: [(name: String, value: String)] = [], members: [String: JSONValue?] = [:]
    ) async throws(SupabaseError) -> SupabaseAnswer {
        do {
            return try await server.send(
                SupabaseCall(
                    method: method, path: "admin/" + path, query: query, members: members,
                    bearer: key.bearer()),
                fields: [key.field()])
        } catch {
            // Here the key alone decides: no user signs these requests.
            guard error.code == .refused, error.status == 401 || error.status == 403 else {
                throw error
            }
            throw Self.keyRefused(error)
        }
    }

    /// Ends sessions of the person whose access token this is: this one, the others, or all.
    ///
    /// It succeeds for a user who is gone, and for `SignOutScope.this` also for a session that has
    /// ended. Access tokens that were issued stay valid until they expire.
    ///
    /// - Throws: `refused` with `bad_jwt` if the token has expired: nothing was ended;
    ///   `keyRefused`.
    public func signOut(
        _ token: AccessToken, scope: SignOutScope
    ) async throws(SupabaseError) {
        do {
            _ = try await server.send(.signOut(token, scope: scope), fields: [key.field()])
        } catch {
            // GoTrue gives a code to each refusal of a person's token, and the gateway none.
            if error.code == .refused, error.status == 401, error.serverCode == nil {
                throw Self.keyRefused(error)
            }
            let isOver =
                error.serverCode == .userNotFound
                || scope == .this && error.serverCode == .sessionNotFound
            guard error.code == .refused, isOver else { throw error }
        }
    }

    private static func keyRefused(_ error: SupabaseError) -> SupabaseError {
        SupabaseError(
            .keyRefused, status: error.status, serverCode: error.serverCode, underlying: error,
            "The project does not take the secret key: pass one of this very project that was not "
                + "revoked.")
    }
}
