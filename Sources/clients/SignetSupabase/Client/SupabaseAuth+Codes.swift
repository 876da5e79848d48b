// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetEmail
internal import SignetIdentity
public import SignetJOSE

// One-time codes, by phone and by e-mail.
extension SupabaseAuth {
    /// Sends a one-time code. The response does not depend on whether the account exists.
    ///
    /// An e-mail contains a code if the project's template has `{{ .Token }}`.
    ///
    /// - Parameters:
    ///   - destination: the phone number or the address.
    ///   - createsUser: whether a new user gets an account.
    ///   - channel: how a code reaches a phone.
    ///   - metadata: the metadata of a new user, who may change them.
    ///   - captcha: the answer to the project's CAPTCHA, if it has one.
    /// - Throws: `rateLimited`; `refused`; and the errors of every call.
    public func sendCode(
        to destination: SupabaseDestination, createsUser: Bool = true,
        by channel: SupabaseDestination.Channel = .sms, metadata: [String: JSONValue]? = nil,
        captcha: String? = nil
    ) async throws(SupabaseError) {
        var call = SupabaseCall(method: .post, path: "otp")
        call.members = [
            destination.member.name: destination.member.value, "create_user": .bool(createsUser),
            "data": metadata.map { .object($0) },
            "gotrue_meta_security": SupabaseCall.security(captcha),
        ]
        if case .phone = destination { call.members["channel"] = .string(channel.rawValue) }
        try await send(call)
    }

    /// Verifies a code, with the same address and purpose.
    ///
    /// - Throws: `refused` with `otp_expired` for a wrong or expired code; `confirmationPending` if
    ///   the user's other address must be confirmed too.
    public func verify(
        _ code: OneTimeCode, sentTo destination: SupabaseDestination,
        purpose: SupabaseDestination.Purpose = .signIn
    ) async throws(SupabaseError) -> SessionGrant {
        var call = SupabaseCall(method: .post, path: "verify")
        call.members = [
            "type": .string(try Self.type(of: purpose, for: destination)),
            destination.member.name: destination.member.value,
            "token": .string(code.exposedText),
        ]
        return try await send(call).grant()
    }

    /// Verifies the hash in the link of an e-mail, if the project's template has `{{ .TokenHash
    /// }}`: for an app or page that the link opens.
    ///
    /// **Not** checked: whose link it is. A stranger's link signs the person in as the stranger, so
    /// show the user. The link of ``sendLink(to:redirectTo:schemes:createsUser:captcha:)`` is bound
    /// to this program.
    ///
    /// - Throws: `invalidInput` unless `tokenHash` is 1 to 256 printable ASCII characters;
    ///   `refused` with `otp_expired`; `confirmationPending`.
    public func verify(
        tokenHash: String, purpose: SupabaseDestination.Purpose = .signIn
    ) async throws(SupabaseError) -> SessionGrant {
        guard (1...256).contains(tokenHash.utf8.count),
            tokenHash.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        else {
            throw SupabaseError(.invalidInput, "The link's hash is 1 to 256 ASCII characters.")
        }
        var call = SupabaseCall(method: .post, path: "verify")
        call.members = [
            "type": .string(SupabaseDestination.emailType(for: purpose)),
            "token_hash": .string(tokenHash),
        ]
        return try await send(call).grant()
    }

    /// Sends a code again: for a sign-up or a change of address, and to a phone also for a sign-in.
    /// For a sign-in by e-mail request a new code.
    ///
    /// - Throws: `invalidInput` for every other purpose.
    public func resend(
        to destination: SupabaseDestination, purpose: SupabaseDestination.Purpose,
        captcha: String? = nil
    ) async throws(SupabaseError) {
        let type = try Self.type(of: purpose, for: destination)
        switch (destination, purpose) {
        case (_, .signUp), (_, .change), (.phone, .signIn): break
        default: throw SupabaseError(.invalidInput, "GoTrue sends no such code again.")
        }
        var call = SupabaseCall(method: .post, path: "resend")
        call.members = [
            "type": .string(type), destination.member.name: destination.member.value,
            "gotrue_meta_security": SupabaseCall.security(captcha),
        ]
        try await send(call)
    }

    /// Sends a code to a user who has forgotten the password. ``verify(_:sentTo:purpose:)`` with
    /// the purpose `recovery` gives a session that can set a new password.
    public func sendRecovery(
        to email: Mailbox, captcha: String? = nil
    ) async throws(SupabaseError) {
        var call = SupabaseCall(method: .post, path: "recover")
        call.members = [
            "email": .string(email.text), "gotrue_meta_security": SupabaseCall.security(captcha),
        ]
        try await send(call)
    }

    /// Sends the code that a change of the password requires (``SupabaseUserChange/nonce``).
    public func reauthenticate(_ token: AccessToken) async throws(SupabaseError) {
        try await send(SupabaseCall(method: .get, path: "reauthenticate", bearer: token))
    }

    private static func type(
        of purpose: SupabaseDestination.Purpose, for destination: SupabaseDestination
    ) throws(SupabaseError) -> String {
        guard let type = destination.type(for: purpose) else {
            throw SupabaseError(.invalidInput, "No such code is sent to a phone.")
        }
        return type
    }
}
