// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetBase
internal import SignetJOSE

/// A user in the form that GoTrue's clients read:
///
///     {"id":"…","aud":"authenticated","role":"authenticated","email":"ann@example.com","phone":"",
///      "app_metadata":{"provider":"email","providers":["email","google"]},"identities":[…],…}
///
/// The members are GoTrue's. `app_metadata` is the server's. `user_metadata` is the user's own, and
/// beneath it what providers say.
struct GoTrueUser: Sendable {
    /// The assurance level of a session in which a second factor was shown.
    static let levelWithFactor = "aal2"

    let id: String
    let createdAt: NumericDate
    let updatedAt: NumericDate
    let signedInAt: NumericDate
    let metadata: GoTrueMetadata
    let identities: [GoTrueIdentity]
    let factors: [SecondFactors.Factor]

    /// A guest has only a session.
    var isAnonymous: Bool { identities.isEmpty }

    /// The address that the user has verified by a code. Providers' addresses never appear here, so
    /// no two users share an address.
    var email: GoTrueIdentity? { identities.first { $0.kind == .email } }
    var phone: GoTrueIdentity? { identities.first { $0.kind == .phone } }

    /// Whether a destination is the user's already.
    func has(_ destination: CodeDestination) -> Bool {
        let wanted = UserIdentity(destination)
        return identities.contains { $0.has(issuer: wanted.issuer, subject: wanted.subject) }
    }

    /// The user in a response.
    func json() throws(AccountError) -> [String: JSONValue] {
        var members: [String: JSONValue] = [
            "id": .string(id), "aud": "authenticated", "role": "authenticated",
            "email": .string(email?.destination ?? ""), "phone": .string(phone?.destination ?? ""),
            "is_anonymous": .bool(isAnonymous), "app_metadata": .object(appMetadata),
            "user_metadata": .object(userMetadata), "created_at": .time(createdAt),
            "updated_at": .time(updatedAt), "last_sign_in_at": .time(signedInAt),
        ]
        var shown: [JSONValue] = []
        for identity in identities { shown.append(.object(try identity.json(of: self))) }
        members["identities"] = .array(shown)
        // Clients fail at a kind that they do not know.
        let known = factors.filter { $0.kind == .code }
        if !known.isEmpty {
            members["factors"] = .array(
                try known.map { (factor) throws(AccountError) in try factor.json() })
        }
        if let email { members["email_confirmed_at"] = .time(email.linkedAt) }
        if let phone { members["phone_confirmed_at"] = .time(phone.linkedAt) }
        if let first = [email, phone].compactMap({ $0?.linkedAt }).min() {
            members["confirmed_at"] = .time(first)
        }
        return members
    }

    static func level(of beginning: SessionBeginning) -> String {
        beginning.hasFactor ? levelWithFactor : "aal1"
    }

    /// An access token's claims about the user, and about how the session began.
    func claims(
        of session: AccountSession, beginning: SessionBeginning
    ) throws(AccountError) -> JSONValue {
        let sessionID = try Identifiers.uuid(ofSession: session.id)
        // The methods of the sign-in, such as `totp`, `otp` or `password`, and their times, the
        // latest first.
        var methods: [JSONValue] = [
            ["method": .string(beginning.method), "timestamp": .integer(beginning.at)]
        ]
        if let method = beginning.factorMethod, let at = beginning.factorAt {
            methods.insert(["method": .string(method), "timestamp": .integer(at)], at: 0)
        }
        return [
            "role": "authenticated", "session_id": .string(sessionID),
            // The assurance level: how many factors were shown.
            "aal": .string(Self.level(of: beginning)),
            "amr": .array(methods),
            "is_anonymous": .bool(isAnonymous), "email": .string(email?.destination ?? ""),
            "phone": .string(phone?.destination ?? ""), "app_metadata": .object(appMetadata),
            "user_metadata": .object(userMetadata),
        ]
    }

    /// What the user wrote, and for the rest what providers say: the first that was linked says it.
    private var userMetadata: [String: JSONValue] {
        let provided = identities.compactMap(\.data?.metadata).reduce([:]) { all, further in
            all.merging(further) { first, _ in first }
        }
        return provided.merging(metadata.members) { _, own in own }
    }

    /// The provider of the first identity, and the providers of all identities.
    private var appMetadata: [String: JSONValue] {
        guard let first = identities.first else { return [:] }
        var names: [String] = []
        for identity in identities
        where !names.contains(where: { $0.utf8.elementsEqual(identity.provider.utf8) }) {
            names.append(identity.provider)
        }
        return [
            "provider": .string(first.provider), "providers": .array(names.map(JSONValue.string)),
        ]
    }
}

extension SecondFactors.Factor {
    /// The identifier in requests and responses, a UUID. A factor of an earlier version has its
    /// user's identifier, which may be any text.
    var publicID: String {
        get throws(AccountError) {
            let isUUID =
                Identifiers.uuid(received: ReceivedText(id))?.utf8.elementsEqual(id.utf8) == true
            return isUUID ? id : try Identifiers.uuid(of: ["factor", id])
        }
    }

    /// The factor in GoTrue's responses.
    fileprivate func json() throws(AccountError) -> JSONValue {
        var members: [String: JSONValue] = [
            "id": .string(try publicID), "factor_type": .string(kind.goTrueName),
            "status": isConfirmed ? "verified" : "unverified", "created_at": .time(addedAt),
            "updated_at": .time(changedAt),
        ]
        // As GoTrue: absent where there is none.
        if !name.isEmpty { members["friendly_name"] = .string(name) }
        return .object(members)
    }
}

extension SecondFactors.Factor.Kind {
    /// GoTrue's name. It has one for all devices that show codes.
    var goTrueName: String { Self.goTrueName(of: name) }

    /// GoTrue's name of a kind with this name.
    static func goTrueName(of name: String) -> String {
        name.utf8.elementsEqual(code.name.utf8) ? "totp" : name
    }
}

extension JSONValue {
    /// A time as GoTrue writes it: RFC 3339 with milliseconds, rounded down. Times before 1970 or
    /// after 9999 are clamped.
    static func time(_ date: NumericDate) -> JSONValue { .string(date.rfc3339) }
}
