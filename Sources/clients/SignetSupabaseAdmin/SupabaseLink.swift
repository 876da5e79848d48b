// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetEmail
internal import SignetIdentity
public import SignetJOSE
public import SignetSignIn
public import SignetSupabase

/// A link that GoTrue has made and **not** sent, with its code and its hash: whoever has one of them
/// signs in as the user. Send it to the address that it was made for, and to nobody else. Printing
/// shows none of them.
public struct SupabaseLink: Sendable, Redacted {
    /// The use of a link for the person who opens it.
    public enum Kind: Sendable, Redacted {
        /// It confirms the address of a new user, who gets this password.
        case signUp(password: String)
        /// It invites a new user.
        case invitation
        /// It signs in. GoTrue makes a user of an address that has none.
        case signIn
        /// It signs in after a forgotten password.
        case recovery
        /// It confirms at the present address that the user changes to this one.
        case changeFromCurrent(to: Mailbox)
        /// It confirms this new address, at which the link has to arrive.
        case changeToNew(Mailbox)

        var members: [String: JSONValue?] {
            switch self {
            case .signUp(let password): ["type": "signup", "password": .string(password)]
            case .invitation: ["type": "invite"]
            case .signIn: ["type": "magiclink"]
            case .recovery: ["type": "recovery"]
            case .changeFromCurrent(let new):
                ["type": "email_change_current", "new_email": .string(new.text)]
            case .changeToNew(let new):
                ["type": "email_change_new", "new_email": .string(new.text)]
            }
        }

        /// The purposes of the links that GoTrue makes, by its names: of an address without a user, a sign-in makes one.
        var made: [String: SupabaseDestination.Purpose] {
            switch self {
            case .signUp: ["signup": .signUp]
            case .invitation: ["invite": .invitation]
            case .signIn: ["magiclink": .signIn, "signup": .signUp]
            case .recovery: ["recovery": .recovery]
            case .changeFromCurrent: ["email_change_current": .change]
            case .changeToNew: ["email_change_new": .change]
            }
        }

        /// Whether the link may make a user, who then has metadata.
        var makesUser: Bool {
            switch self {
            case .signUp, .invitation, .signIn: true
            case .recovery, .changeFromCurrent, .changeToNew: false
            }
        }
    }

    /// The user.
    public let user: SupabaseUser
    /// For `SupabaseAuth.verify(tokenHash:purpose:)`, and for a code. `signUp` where a link of
    /// ``Kind/signIn`` has made a user.
    public let purpose: SupabaseDestination.Purpose
    /// The address of the link, at GoTrue, which leads on to the redirect.
    public let exposedURL: String
    /// The hash in a link of your own, for a page that calls `SupabaseAuth.verify(tokenHash:)`.
    public let exposedTokenHash: String
    /// The code that the person may type instead.
    public let code: OneTimeCode

    init(
        _ root: JSONNode, kind: Kind, email: Mailbox, redirectURI: String?, schemes: [String]
    ) throws(SupabaseError) {
        user = try SupabaseUser(root)
        // A link that signs in as somebody else must not reach this mailbox.
        let address = (user.email ?? "").utf8.map(\.lowercased)
        guard address == email.text.utf8.map(\.lowercased) else {
            throw Self.invalid("is about another address")
        }
        let purpose = kind.made.first {
            root.member("verification_type")?.text?.isEqual(to: $0.key) == true
        }
        guard let purpose else { throw Self.invalid("has a link of another kind") }
        self.purpose = purpose.value
        if let redirectURI, root.member("redirect_to")?.text?.isEqual(to: redirectURI) != true {
            throw Self.invalid(
                "leads elsewhere: put redirectTo into the project's list of redirect URLs")
        }
        let url = try Self.text("action_link", of: root, longest: 16_384)
        guard schemes.contains(where: { url.utf8.starts(with: "\($0)://".utf8) }) else {
            throw Self.invalid("has a link that is no address of the web")
        }
        exposedURL = url
        exposedTokenHash = try Self.text("hashed_token", of: root, longest: 256)
        let digits = try Self.text(
            "email_otp", of: root, longest: OneTimeCode.digitCounts.upperBound)
        do throws(SignInInputError) {
            code = try OneTimeCode(digits, digitCount: digits.utf8.count)
        } catch { throw Self.invalid("has no code of 6 to 10 digits") }
    }

    private static func text(
        _ name: String, of root: JSONNode, longest: Int
    ) throws(SupabaseError) -> String {
        guard let text = root.member(name)?.text, (1...longest).contains(text.byteCount),
            text.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        else { throw invalid("has no \"\(shown: name)\"") }
        return text.swiftString()
    }

    private static func invalid(_ what: ErrorMessage) -> SupabaseError {
        SupabaseError(.invalidAnswer, "The answer \(what).")
    }
}

extension SupabaseAdmin {
    /// Makes a link, with its code and hash, for a message that your server sends itself.
    ///
    /// - Parameters:
    ///   - kind: what the link does.
    ///   - email: the user's address; for a change, the present one.
    ///   - metadata: the `user_metadata` of a new user.
    ///   - redirectURI: where GoTrue sends the browser on to, which the project's list of redirect
    ///     URLs has to contain: https, http on this machine or an app's scheme. Nil is the
    ///     project's site.
    ///   - schemes: schemes without a dot that `redirectURI` may have.
    /// - Throws: `invalidInput` for an impossible redirect, and for metadata without a new user;
    ///   `refused` with `user_not_found` or `email_exists`; `invalidAnswer` also where GoTrue has
    ///   put the project's site in place of `redirectURI`.
    public func generateLink(
        _ kind: SupabaseLink.Kind, for email: Mailbox, metadata: [String: JSONValue]? = nil,
        redirectTo redirectURI: String? = nil, schemes: [String] = []
    ) async throws(SupabaseError) -> SupabaseLink {
        guard metadata == nil || kind.makesUser else {
            throw SupabaseError(.invalidInput, "Metadata are for a new user: none is made here.")
        }
        if let redirectURI {
            do {
                _ = try RedirectURIs([redirectURI], schemes: schemes)
            } catch {
                throw SupabaseError(
                    .invalidInput, underlying: error, "redirectTo: \(messageOf: error)")
            }
        }
        var members = kind.members
        members["email"] = .string(email.text)
        members["data"] = metadata.map { .object($0) }
        let answer = try await send(
            .post, to: "generate_link", query: redirectURI.map { [("redirect_to", $0)] } ?? [],
            members: members)
        return try SupabaseLink(
            answer.object(), kind: kind, email: email, redirectURI: redirectURI,
            // GoTrue writes its own outer address, which may be another than the one used here.
            schemes: ["https", project.url.scheme])
    }
}
