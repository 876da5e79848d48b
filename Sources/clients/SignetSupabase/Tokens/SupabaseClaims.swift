// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetIdentity
internal import SignetJOSE
public import SignetSignIn

/// The claims of a verified access token of a project. Only a ``SupabaseTokenVerifier`` makes them.
public struct SupabaseClaims: Sendable, CustomStringConvertible, CustomReflectable {
    /// How strongly the person was authenticated.
    public enum AssuranceLevel: String, Sendable, CaseIterable {
        /// One factor.
        case aal1
        /// Two factors.
        case aal2
        /// With hardware.
        case aal3
    }

    /// The verified token.
    public let token: VerifiedAccessToken
    /// `role`, which is the expected role.
    public let role: String
    /// `phone`.
    public let phone: PhoneNumber?
    /// `session_id`: a UUID.
    public let sessionID: String?
    /// `aal`; nil for an unknown level.
    public let assuranceLevel: AssuranceLevel?
    /// `is_anonymous`: a guest, who has proved nothing. GoTrue before 2024 has neither the claim
    /// nor anonymous users.
    public let isAnonymous: Bool

    /// `sub`: the user's permanent id, a UUID.
    public let userID: String

    private struct Named: Decodable {
        let phone: String?
        let sessionID: String?
        let level: String?
        let isAnonymous: Bool?

        enum CodingKeys: String, CodingKey {
            case phone
            case sessionID = "session_id"
            case level = "aal"
            case isAnonymous = "is_anonymous"
        }
    }

    init(_ token: VerifiedAccessToken, role: String) throws(IdentityError) {
        guard case .user(let userID) = token.principal else {
            throw IdentityError(.subject, claim: "sub", "The token names a client, not a user.")
        }
        self.userID = userID
        let named = try token.claims(as: Named.self)
        self.token = token
        self.role = role
        phone = try Self.phone(named.phone)
        sessionID = try Self.session(named.sessionID)
        assuranceLevel = named.level.flatMap { text in
            AssuranceLevel.allCases.first { $0.rawValue.utf8.elementsEqual(text.utf8) }
        }
        isAnonymous = named.isAnonymous ?? false
    }

    /// User, role and session.
    public var description: String {
        "SupabaseClaims(\(userID), \(role), session \(sessionID ?? "not named"))"
    }

    /// Only the user, the role and the session.
    public var customMirror: Mirror {
        Mirror(self, children: ["userID": userID, "role": role, "sessionID": sessionID as Any])
    }

    private static func phone(_ text: String?) throws(IdentityError) -> PhoneNumber? {
        guard let text, !text.utf8.isEmpty else { return nil }
        do throws(SignInInputError) { return try PhoneNumber(withoutPlus: text) } catch {
            throw IdentityError(
                .claimInvalid, claim: "phone", underlying: error,
                "The claim \"phone\" is no number without a plus.")
        }
    }

    private static func session(_ text: String?) throws(IdentityError) -> String? {
        guard let text, !text.utf8.isEmpty else { return nil }
        guard Identifier.isGUID(text.utf8) else {
            throw IdentityError(
                .claimInvalid, claim: "session_id", "The claim \"session_id\" is no UUID.")
        }
        return text
    }
}
