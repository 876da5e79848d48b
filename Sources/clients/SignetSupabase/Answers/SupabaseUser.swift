// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetIdentity
package import SignetJOSE
public import SignetSignIn

/// A user, by GoTrue's description.
///
/// The description came from the server over a verified connection, but proves nothing to third
/// parties: a client can forge a user that it stores or sends. ``email`` is **no** evidence that
/// the person has this address: use ``SupabaseAuth/emailClaims(of:)``.
public struct SupabaseUser: Sendable, Redacted {
    /// The user's permanent id: ASCII, in GoTrue a UUID.
    public let id: String
    /// The e-mail address, at most 320 bytes.
    public let email: String?
    /// The phone number.
    public let phone: PhoneNumber?
    /// Whether the user signed up without an address or a provider.
    public let isAnonymous: Bool
    /// When the address of ``email`` was confirmed, or counted as confirmed.
    public let emailConfirmedAt: NumericDate?
    /// When the number of ``phone`` was confirmed.
    public let phoneConfirmedAt: NumericDate?
    /// When the account was made.
    public let createdAt: NumericDate?
    private let node: JSONNode

    /// The user of a session, before the network has answered: `SessionUser.profile`.
    ///
    /// - Throws: `invalidAnswer`.
    public init(profile: String) throws(SupabaseError) {
        guard profile.utf8.count <= SessionGrant.maximumProfileByteCount,
            let document = try? JSONDocument(
                Array(profile.utf8), limits: SupabaseAnswer.Limits.ofOneUser.ofJSON)
        else { throw Self.invalid }
        try self.init(document.root)
    }

    package init(_ node: JSONNode) throws(SupabaseError) {
        guard let id = node.member("id")?.text,
            (1...SessionGrant.maximumUserIDByteCount).contains(id.byteCount),
            id.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        else { throw Self.invalid }
        self.id = id.swiftString()
        email = Self.shortText("email", of: node)
        phone = Self.shortText("phone", of: node).flatMap { try? PhoneNumber(withoutPlus: $0) }
        isAnonymous = node.member("is_anonymous")?.boolValue ?? false
        emailConfirmedAt = Self.time("email_confirmed_at", of: node)
        phoneConfirmedAt = Self.time("phone_confirmed_at", of: node)
        createdAt = Self.time("created_at", of: node)
        self.node = node
    }

    /// Decodes the user as a type of yours, from the strict parse, including `app_metadata` and
    /// `identities`. Users write `user_metadata`: authorise nothing by it.
    ///
    /// - Throws: `invalidAnswer` if it does not fit the type.
    public func decoded<Value: Decodable>(as type: Value.Type) throws(SupabaseError) -> Value {
        do throws(JSONError) {
            return try JSONTokenDecoder().decode(type, from: node)
        } catch {
            throw SupabaseError(
                .invalidAnswer, underlying: error,
                "The user does not fit the type that was asked for.")
        }
    }

    /// Whether the user has signed up, or confirmed a change, with ``email`` itself. A provider's
    /// statement about an address is a different kind of identity, and an administrator of any
    /// Entra tenant may have typed it.
    var ownsEmailIdentity: Bool {
        guard let address = node.member("email")?.text?.lowercasedASCII,
            let identities = node.member("identities")
        else { return false }
        return identities.elements.contains { identity in
            let data = identity.member("identity_data")
            return identity.member("provider")?.text?.isEqual(to: "email") == true
                && data?.member("email")?.text?.lowercasedASCII.isEqual(to: address) == true
        }
    }

    /// The JSON, if it is short enough for a session.
    var profile: String? {
        let json = node.rawBytes
        guard json.count <= SessionGrant.maximumProfileByteCount else { return nil }
        return String(decoding: json, as: UTF8.self)
    }

    /// GoTrue writes absent values as empty text.
    private static func shortText(_ name: String, of node: JSONNode) -> String? {
        guard let text = node.member(name)?.text, (1...320).contains(text.byteCount) else {
            return nil
        }
        return text.swiftString()
    }

    /// Go writes a time that was never set as the beginning of the year 1.
    private static func time(_ name: String, of node: JSONNode) -> NumericDate? {
        guard let text = node.member(name)?.text, text.byteCount <= 64,
            let date = (try? Timestamp(text.swiftString()))?.date, date.secondsSince1970 > 0
        else { return nil }
        return date
    }

    private static var invalid: SupabaseError {
        SupabaseError(.invalidAnswer, "What should be a user has no identifier.")
    }
}
