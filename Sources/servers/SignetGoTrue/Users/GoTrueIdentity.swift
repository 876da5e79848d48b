// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetEmail
internal import SignetJOSE
internal import SignetSignIn

/// A user's way to sign in.
struct GoTrueIdentity: Sendable {
    enum Kind: Sendable {
        case email, phone, provider
    }

    let identity: UserIdentity
    let provider: String
    let linkedAt: NumericDate
    /// Whether a code sent to the address was entered. Every stored identity is confirmed.
    var isConfirmed = true
    /// What the provider says about the person, if this is a provider's identity.
    var data: ProviderData?

    var kind: Kind {
        if identity.issuer.utf8.elementsEqual(UserIdentity.emailIssuer.utf8) { return .email }
        if identity.issuer.utf8.elementsEqual(UserIdentity.phoneIssuer.utf8) { return .phone }
        return .provider
    }

    /// The address, or the number without its plus.
    var destination: String {
        kind == .phone
            ? String(decoding: identity.subject.utf8.dropFirst(), as: UTF8.self) : identity.subject
    }

    /// The destination of codes; nil for a provider's identity.
    var codeDestination: CodeDestination? {
        switch kind {
        case .email: (try? Mailbox(identity.subject)).map(CodeDestination.email)
        case .phone: (try? PhoneNumber(identity.subject)).map(CodeDestination.phone)
        case .provider: nil
        }
    }

    func has(issuer: String, subject: String) -> Bool {
        identity.issuer.utf8.elementsEqual(issuer.utf8)
            && identity.subject.utf8.elementsEqual(subject.utf8)
    }

    /// `identity_id` in GoTrue's responses: a UUID, always the same.
    var rowID: String {
        get throws(AccountError) { try Identifiers.uuid(of: [identity.issuer, identity.subject]) }
    }

    /// In GoTrue's responses `identity_id` names the row. `id` is the subject at a provider; for an
    /// address or number it is the user.
    func json(of user: GoTrueUser) throws(AccountError) -> [String: JSONValue] {
        let row = try rowID
        let data: [String: JSONValue] =
            switch kind {
            case .email:
                [
                    "sub": .string(user.id), "email": .string(destination),
                    "email_verified": .bool(isConfirmed),
                ]
            case .phone:
                [
                    "sub": .string(user.id), "phone": .string(destination),
                    "phone_verified": .bool(isConfirmed),
                ]
            case .provider: providerMembers
            }
        return [
            "identity_id": .string(row), "user_id": .string(user.id),
            "id": .string(kind == .provider ? identity.subject : user.id),
            "provider": .string(provider), "identity_data": .object(data),
            "created_at": .time(linkedAt), "updated_at": .time(linkedAt),
            "last_sign_in_at": .time(user.signedInAt),
        ]
    }

    private var providerMembers: [String: JSONValue] {
        var members = data?.identityData ?? [:]
        members["iss"] = .string(identity.issuer)
        for name in ["sub", "provider_id"] { members[name] = .string(identity.subject) }
        return members
    }
}
