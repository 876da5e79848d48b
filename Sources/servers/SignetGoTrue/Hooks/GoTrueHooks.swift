// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetAccounts
package import SignetBase
public import SignetJOSE

/// The decisions of the program about people, sessions and passwords of a `GoTrueService`.
///
/// ```swift
/// options.hooks.beforePassword = { new in
///     guard try await !isLeaked(new.password) else {
///         throw GoTrueHooks.Refusal("This password has leaked.", reasons: ["pwned"])
///     }
/// }
/// options.hooks.beforeSession = { session in
///     guard try await !isBanned(session.userID) else {
///         throw GoTrueHooks.Refusal("This account is closed.", code: "user_banned")
///     }
/// }
/// options.hooks.claims = { session in ["plan": .string(try await plan(of: session.userID))] }
/// ```
///
/// A hook returns to allow, and throws a ``Refusal`` to refuse. If it throws anything else, or takes
/// longer than ``timeLimit``, the client gets a 503, `GoTrueOptions.report` the error, and nothing
/// has changed: a code, link or token that the request brought is still good, and no try of a right
/// one counts. Two things remain: the request counts for its client, and a password or an address in
/// it counts as asked for.
///
/// Hooks run outside of a transaction, so they may use the database; ``atSignUp`` alone runs inside.
/// They decide by what the request would do at that moment: if that differs once the hook has
/// answered, it is asked again.
public struct GoTrueHooks: Sendable {
    /// Called before a password is hashed: at a sign-up, and when a user sets one. A refusal is 422
    /// `weak_password` with its ``Refusal/reasons``.
    public var beforePassword: (@Sendable (NewPassword) async throws -> Void)?
    /// Called before a session begins, is refreshed, or is raised by a second factor. A refusal is
    /// 403 and ends nothing: a refresh token is as good as before.
    public var beforeSession: (@Sendable (Session) async throws -> Void)?
    /// Called after ``beforeSession``: further claims for the access token. Together they have at
    /// most 4,096 bytes of JSON and 8 levels. A claim that the service writes itself, such as `sub`,
    /// `role`, `aal`, `amr` or `session_id`, counts as an error of the hook (503), and so does a
    /// token that becomes too long (`tokenTooLarge`).
    public var claims: (@Sendable (Session) async throws -> [String: JSONValue])?
    /// Called before a user's ways to get in change, or the account is deleted. Not called for what
    /// a user signs up with. A refusal is 403.
    public var beforeChange: (@Sendable (Change) async throws -> Void)?
    /// Called when a user was added, in that transaction, for a row of the program's own. It may run
    /// several times for one user, so it does nothing outside of the transaction, which others wait
    /// for. A call of the database or of the service's `sessions` would wait for this transaction
    /// itself, until the time limit. PostgreSQL ends a transaction that is idle for 10 s. A refusal
    /// is 403, and the user is not added.
    public var atSignUp: (@Sendable (NewUser, any AccountTransaction) async throws -> Void)?
    /// How long each hook may take: 5 s; 1 s to 60 s. The task of a hook that is late is cancelled,
    /// and goes on if it does not look.
    public var timeLimit = Duration.seconds(5)
    /// Measures the limit; a test passes a `ManualClock`'s source.
    package var clock = TimeSource.system

    /// No hooks.
    public init() {}

    /// Thrown by a hook to refuse. The client gets code and message.
    public struct Refusal: Error {
        /// A sentence for the person.
        public let message: ErrorMessage
        /// The code that clients match, such as `user_banned`; not used for a password.
        public let code: StaticString
        /// Why a password is weak; GoTrue has `length`, `characters` and `pwned`.
        public let reasons: [String]

        /// A refusal.
        public init(
            _ message: ErrorMessage, code: StaticString = "hook_refused", reasons: [String] = []
        ) {
            self.message = message
            self.code = code
            self.reasons = reasons
        }
    }

    /// A password that a person wants to have.
    public struct NewPassword: Sendable, Redacted {
        /// The password. ``/SignetAccounts/Password/withExposedBytes(_:)`` reads it.
        public let password: Password
        /// The user; nil at a sign-up, where there may be none yet.
        public let userID: String?
        /// The address or number: at a sign-up not yet confirmed, later the user's own.
        public let destination: CodeDestination
    }

    /// A session that is about to begin, or to go on.
    public struct Session: Sendable, Equatable {
        /// The user.
        public let userID: String
        /// Whether this request adds the user, who is not in the database yet.
        public let isNewUser: Bool
        /// Whether the session has begun before: a refresh, or a second factor that raises it.
        public let isRefresh: Bool
        /// The ways of the sign-in as in `amr`, the latest first: `totp`, `otp`, `password`,
        /// `oauth`, `recovery`, `anonymous`.
        public let methods: [String]
        /// The assurance level that the access token will have: `aal1`, or `aal2` once a second
        /// factor was shown.
        public let level: String
    }

    /// A change that decides who gets in.
    public struct Change: Sendable, Equatable {
        /// The user.
        public let userID: String
        /// The kind of change: a password, an address or number, a provider, a second factor, or
        /// `accountDeleted`.
        public let kind: AccountChange
    }

    /// A user who was added a moment ago.
    public struct NewUser: Sendable, Redacted {
        /// The user.
        public let userID: String
        /// The way in that the user has signed up with; nil for a guest.
        public let identity: UserIdentity?
    }

    func check() throws(AccountError) {
        let range = ParameterRange(
            "timeLimit", value: timeLimit, in: .seconds(1) ... .seconds(60))
        if let fault = range.fault { throw AccountError(.invalidParameter, fault) }
    }
}

extension AccountChange {
    /// The account is deleted. Nobody is told of it: it is a change for ``GoTrueHooks`` alone.
    public static let accountDeleted: AccountChange = "account-deleted"
}
