// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetEmail
internal import SignetIdentity
public import SignetJOSE
public import SignetSignIn

/// The changes of an update. Nil members stay.
public struct SupabaseUserChange: Sendable, Redacted {
    /// A new address. GoTrue sends a code to it, for ``SupabaseAuth/verify(_:sentTo:purpose:)``
    /// with the purpose `change`.
    public var email: Mailbox?
    /// A new number. GoTrue sends a code to it, for the purpose `change`.
    public var phone: PhoneNumber?
    /// A new password.
    public var password: String?
    /// The code of ``SupabaseAuth/reauthenticate(_:)``, if the project requires it for a new
    /// password.
    public var nonce: OneTimeCode?
    /// Members of `user_metadata` to change; null removes a member.
    public var metadata: [String: JSONValue]?

    /// No changes yet.
    public init() {}

    var members: [String: JSONValue?] {
        [
            "email": email.map { .string($0.text) }, "phone": phone.map { .string($0.e164) },
            "password": password.map { .string($0) },
            "nonce": nonce.map { .string($0.exposedText) }, "data": metadata.map { .object($0) },
        ]
    }
}

extension SupabaseAuth {
    /// The user of an access token, by the server's present data.
    ///
    /// - Throws: `refused` with `bad_jwt`, `session_not_found` or `user_not_found` if the token is
    ///   invalid, its session has ended or its user is gone.
    public func user(_ token: AccessToken) async throws(SupabaseError) -> SupabaseUser {
        try await send(SupabaseCall(method: .get, path: "user", bearer: token)).user()
    }

    /// Changes the user of an access token.
    public func update(
        _ change: SupabaseUserChange, with token: AccessToken
    ) async throws(SupabaseError) -> SupabaseUser {
        try await send(
            SupabaseCall(method: .put, path: "user", members: change.members, bearer: token)
        ).user()
    }

    /// The project's public settings.
    public func settings() async throws(SupabaseError) -> SupabaseSettings {
        try await send(SupabaseCall(method: .get, path: "settings")).settings()
    }

    /// What the user's e-mail address is worth, for a `BusinessEmailPolicy`.
    ///
    /// The address counts as verified if three conditions hold. The server says that this very
    /// address is confirmed, and that the user has an identity of the kind `email` with it. The
    /// program has said that the project has always required confirmation
    /// (``SupabaseProject/hasAlwaysConfirmedEmail``). The project's settings still require it.
    /// Otherwise there is no evidence: GoTrue also counts an address as confirmed if a provider
    /// says so, and not every provider can vouch for it. `app_metadata` and `user_metadata` are
    /// ignored: the first says how the user signed up, and users write the second. A provider's own
    /// ID token, verified by an `IDTokenVerifier`, may say more.
    ///
    /// - Throws: the errors of ``user(_:)``. Unavailable settings count as no evidence, and not as
    ///   an error.
    public func emailClaims(of token: AccessToken) async throws(SupabaseError) -> EmailClaims {
        let user = try await user(token)
        let isEvidence =
            user.email != nil && user.emailConfirmedAt != nil && !user.isAnonymous
            && user.ownsEmailIdentity && project.hasAlwaysConfirmedEmail
        let isVerified = isEvidence ? try await requiresConfirmation() : false
        return EmailClaims(
            address: user.email, evidence: isVerified ? .verifiedAddress : .none,
            isPrivateRelay: false)
    }

    /// Whether the project's settings require confirmation; false if they are unavailable.
    private func requiresConfirmation() async throws(SupabaseError) -> Bool {
        do {
            return try await settings().mailerAutoconfirm == false
        } catch {
            if error.code == .cancelled { throw error }
            return false
        }
    }
}
