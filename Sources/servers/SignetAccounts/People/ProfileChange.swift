// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetBase
public import SignetIdentity
public import SignetSignIn

/// A user's changes to their own profile. Nil members stay; names can be replaced but not removed.
public struct ProfileChange: Sendable, Redacted {
    /// The full name. A provider's name no longer replaces it.
    public var fullName: PersonName?
    /// The preferred name.
    public var displayName: PersonName?
    /// The unique username. The previous username becomes free at once.
    public var username: Username?
    /// The https address of a picture.
    public var avatar: EndpointURL?
    /// Removes the picture.
    public var removesAvatar = false

    /// No change.
    public init() {}
}

extension ProfileChange: Decodable {
    private enum CodingKeys: String, CodingKey {
        case username
        case fullName = "full_name"
        case displayName = "display_name"
        case avatar = "avatar_url"
    }

    /// Reads `full_name`, `display_name`, `username` and `avatar_url`, as in `UserAccount`. Null or
    /// absent members stay; an empty `avatar_url` removes the picture.
    ///
    /// - Throws: `DecodingError` for an invalid name, a reserved username, and an address that is
    ///   not https.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        func read<Value>(_ key: CodingKeys, _ make: (String) throws -> Value) throws -> Value? {
            guard let text = try members.decodeIfPresent(String.self, forKey: key) else {
                return nil
            }
            do { return try make(text) } catch {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: members, debugDescription: "The value is not allowed here.")
            }
        }
        self.init()
        fullName = try read(.fullName, PersonName.init)
        displayName = try read(.displayName, PersonName.init)
        username = try read(.username) { try Username($0) }
        removesAvatar = try members.decodeIfPresent(String.self, forKey: .avatar)?.isEmpty == true
        guard !removesAvatar else { return }
        avatar = try read(.avatar) { text in
            let url = try EndpointURL(text)
            guard url.isAvatar else {
                throw AccountError(.invalidParameter, "A picture's address is https.")
            }
            return url
        }
    }
}
