// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetIdentity
package import SignetJOSE

/// A response of GoTrue, read strictly: its content is used or rejected, and never quoted.
package struct SupabaseAnswer {
    /// How large a response may be.
    package struct Limits: Sendable {
        /// In bytes. A response includes users' metadata.
        let maximumByteCount: Int
        let maximumDepth: Int

        /// Metadata are sent at most 32 deep. They come back up to three levels deeper, in an
        /// identity of a user of a session.
        package static let ofOneUser = Limits(maximumByteCount: 262_144, maximumDepth: 36)
        /// The most that is read. Users write metadata of their own, and one of them must not make
        /// a page unreadable.
        package static let ofManyUsers = Limits(maximumByteCount: 8_388_608, maximumDepth: 512)

        var ofJSON: JSONDocument.Limits {
            JSONDocument.Limits(maximumByteCount: maximumByteCount, maximumDepth: maximumDepth)
        }
    }

    /// The assumed lifetime of an access token whose lifetime cannot be read. A token that expires
    /// sooner is exchanged after the server's 401.
    private static let usualLifetime = Duration.seconds(3600)

    private let response: TransportResponse
    private let limits: Limits

    /// - Throws: the error of a status other than 2xx.
    init(_ response: TransportResponse, limits: Limits) throws(SupabaseError) {
        self.response = response
        self.limits = limits
        let longest = limits.maximumByteCount
        guard response.body.count <= longest else {
            throw Self.invalid(
                response.status,
                message: "has \(response.body.count) bytes instead of at most \(longest)")
        }
        guard !(200..<300).contains(response.status) else { return }
        throw failure
    }

    /// The user of `/user`, and of an update.
    package func user() throws(SupabaseError) -> SupabaseUser { try SupabaseUser(object()) }

    func settings() throws(SupabaseError) -> SupabaseSettings { try SupabaseSettings(object()) }

    /// A session.
    ///
    /// - Parameter isExchange: whether the answer is to a refresh token. The token is already
    ///   spent, so an unreadable user then costs no session if the access token names the user
    ///   (`sub`).
    func grant(isExchange: Bool = false) throws(SupabaseError) -> SessionGrant {
        let root = try object()
        guard root.member("access_token") != nil else {
            // Two addresses must be confirmed, and this was the first.
            if root.member("code")?.text?.isEqual(to: "200") == true {
                throw SupabaseError(
                    .confirmationPending, status: response.status,
                    "The code was accepted. Now confirm the other address.")
            }
            throw Self.invalid(response.status, message: "has no session")
        }
        try checkType(root)
        let stated = statedLifetime(root)
        let user = root.member("user").flatMap { try? SupabaseUser($0) }
        guard let userID = user?.id ?? (isExchange ? subject(of: root) : nil) else {
            throw Self.invalid(response.status, message: "does not say whose session it is")
        }
        do throws(SessionError) {
            return try SessionGrant(
                accessToken: AccessToken(try token("access_token", in: root)),
                refreshToken: RefreshToken(try token("refresh_token", in: root)),
                lifetime: stated ?? Self.usualLifetime, isLifetimeStated: stated != nil,
                userID: userID, profile: user?.profile)
        } catch {
            throw Self.invalid(response.status, message: "has an invalid token")
        }
    }

    /// The result of a sign-up: a session, or a user who must confirm an address first.
    func signUp() throws(SupabaseError) -> SupabaseSignUp {
        let root = try object()
        guard root.member("access_token") == nil else { return .signedIn(try grant()) }
        return .needsConfirmation(try SupabaseUser(root))
    }

    private func token(_ name: String, in root: JSONNode) throws(SessionError) -> String {
        guard let text = root.member(name)?.text,
            text.byteCount <= AccessToken.maximumByteCount
        else { throw SessionError(.invalidToken, "There is no \(shown: name).") }
        return text.swiftString()
    }

    /// The unverified subject of the access token: as trustworthy as the response that holds it.
    private func subject(of root: JSONNode) -> String? {
        guard let token = root.member("access_token")?.text,
            token.byteCount <= AccessToken.maximumByteCount
        else { return nil }
        let parts = Array(token.utf8).split(
            separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        // A JWS: HEADER.PAYLOAD.SIGNATURE, each in base64url (RFC 7515, section 7.1).
        guard parts.count == 3,
            let payload = try? Base64URL.decode(String(decoding: parts[1], as: UTF8.self)),
            let subject = (try? JSONDocument(payload, limits: limits.ofJSON))?.root.member("sub")?
                .text,
            Identifier.isGUID(subject.utf8)
        else { return nil }
        return subject.swiftString()
    }

    /// Rejects a token that is not sent as a bearer token. An absent type counts as bearer.
    private func checkType(_ root: JSONNode) throws(SupabaseError) {
        guard let member = root.member("token_type"), !member.isNull else { return }
        guard member.text?.lowercasedASCII.isEqual(to: "bearer") == true else {
            throw Self.invalid(response.status, message: "has another \"token_type\" than bearer")
        }
    }

    /// The stated lifetime, cut to a year; nil if absent or below 1 s. Exchanged tokens are kept,
    /// whatever lifetime the server states.
    private func statedLifetime(_ root: JSONNode) -> Duration? {
        guard let seconds = root.member("expires_in")?.seconds?.rounded(.down), seconds >= 1 else {
            return nil
        }
        let longest = SessionGrant.maximumLifetime / .seconds(1)
        return .seconds(min(seconds, longest))
    }

    package func object() throws(SupabaseError) -> JSONNode {
        guard let root = json else {
            throw Self.invalid(response.status, message: "is no object in strict JSON")
        }
        return root
    }

    private var json: JSONNode? {
        guard let root = (try? JSONDocument(response.body, limits: limits.ofJSON))?.root,
            root.kind == .object
        else {
            return nil
        }
        return root
    }

    private static func invalid(_ status: Int, message what: ErrorMessage) -> SupabaseError {
        SupabaseError(.invalidAnswer, status: status, "The answer, of status \(status), \(what).")
    }
}

// The errors of GoTrue, which has written them in three forms:
//
//   {"code": "user_banned", …}                                 since the API version of 2024-01-01
//   {"code": 403, "error_code": "user_banned", …}              before
//   {"error": "invalid_grant", "error_description": "…"}       until November 2024, as OAuth does
extension SupabaseAnswer {
    /// The error of a status other than 2xx.
    private var failure: SupabaseError {
        let status = response.status
        let code = serverCode
        switch status {
        case 429:
            return SupabaseError(
                .rateLimited, status: status, serverCode: code, retryAfter: response.retryAfter,
                "Too many requests: wait before the next.")
        case 409, 500..<600:
            return SupabaseError(
                .serverFailed, status: status, serverCode: code, retryAfter: response.retryAfter,
                "The server could not do it now: status \(status).")
        case 400..<500 where json != nil:
            return SupabaseError(
                .refused,
                details: .init(status: status, serverCode: code, isInvalidGrant: isInvalidGrant),
                "The server refused, with the status \(status).")
        default:
            return Self.invalid(status, message: "is not GoTrue's")
        }
    }

    /// `code` since the API version of 2024-01-01, `error_code` before, when `code` was the status.
    /// OAuth's `error` is not a GoTrue code.
    private var serverCode: GoTrueCode? {
        guard let root = json else { return nil }
        let code = root.member("code")?.text ?? root.member("error_code")?.text
        if let code { return GoTrueCode(code) }
        if isInvalidGrant, root.text(of: "error_description")?.isEqual(to: Self.ban) == true {
            return .userBanned
        }
        return root.member("weak_password")?.kind == .object ? .weakPassword : nil
    }

    /// Whether it is OAuth's `invalid_grant`, with which GoTrue refused a refresh token before it
    /// had codes (until November 2024). A code beside it, or a description with any other
    /// beginning, makes it a refusal of something else, such as a password.
    private var isInvalidGrant: Bool {
        guard let root = json, root.text(of: "error")?.isEqual(to: "invalid_grant") == true,
            root.text(of: "code") == nil, root.text(of: "error_code") == nil
        else { return false }
        guard let description = root.member("error_description"), !description.isNull else {
            return true
        }
        guard let text = description.text else { return false }
        return text.isEmpty || text.utf8.starts(with: "Invalid Refresh Token".utf8)
    }

    /// The description of a ban in GoTrue before November 2024.
    private static let ban = "Invalid Refresh Token: User Banned"
}

/// The result of a sign-up.
public enum SupabaseSignUp: Sendable {
    /// The project requires no confirmation.
    case signedIn(SessionGrant)
    /// The code that was sent to the address gives the session:
    /// ``SupabaseAuth/verify(_:sentTo:purpose:)`` for the purpose `signUp`. GoTrue also answers
    /// this way for an address that already has an account, with an invented user.
    case needsConfirmation(SupabaseUser)
}
