// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJSON

/// An access token that GoTrue is about to issue. Printing shows nothing of it.
public struct AuthHookToken: Sendable, Redacted {
    /// The user's identifier.
    public let userID: String
    /// The claims. GoTrue refuses claims without those that it requires (`sub`, `aud`, `exp`, `iat`,
    /// `role`, `aal`, `session_id`, `email`, `phone`, `is_anonymous`): change a copy.
    public let claims: [String: JSONValue]
    /// How the user signed in, such as `otp`, `password` or `token_refresh`.
    public let authenticationMethod: String

    /// Reads a payload; nil for another.
    init?(_ root: JSONNode) {
        guard let userID = root.nonEmptyText("user_id"),
            let method = root.member("authentication_method")?.text,
            let node = root.member("claims"), node.isObject,
            case .object(let claims)? = try? StrictJSON.decode(
                JSONValue.self, from: node.rawBytes)
        else { return nil }
        self.userID = userID
        self.claims = claims
        authenticationMethod = method.swiftString()
    }
}
