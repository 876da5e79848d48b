// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// What a server says in `WWW-Authenticate` (RFC 6750, section 3), and no more than that: the reason belongs in the log.
public enum BearerChallenge: Sendable, Hashable, CustomStringConvertible {
    /// No token was presented. Answer 401.
    case authenticate
    /// A token was presented and is refused, whatever the reason. Answer 401.
    case invalidToken
    /// The request is not one that presents a token. Answer 400.
    case invalidRequest
    /// The token is good and does not allow this. Answer 403.
    case insufficientScope

    /// The value of the field.
    public var text: String {
        switch self {
        case .authenticate: "Bearer"
        case .invalidToken: "Bearer error=\"invalid_token\""
        case .invalidRequest: "Bearer error=\"invalid_request\""
        case .insufficientScope: "Bearer error=\"insufficient_scope\""
        }
    }

    /// The status that goes with it.
    public var httpStatus: Int {
        switch self {
        case .authenticate, .invalidToken: 401
        case .invalidRequest: 400
        case .insufficientScope: 403
        }
    }

    /// The value of the field.
    public var description: String { text }
}
