// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE

/// A verified session token. Only a ``SessionTokenIssuer`` makes it. Printing shows none of the
/// application's own claims.
public struct VerifiedSession: Sendable, CustomStringConvertible, CustomReflectable {
    /// `sub`: the application's identifier of its user.
    public let subject: String
    /// `sid`: the session.
    public let sessionID: String
    /// `jti`: this token. If you keep a list of revoked tokens, look the identifier up there;
    /// Signet does not.
    public let tokenID: String
    /// `iat`. To log a user out everywhere by time, reject sessions whose `iat` is before that
    /// time.
    public let issuedAt: NumericDate
    /// `exp`.
    public let expiration: NumericDate
    /// The key of the ring that verified.
    public let keyID: String
    let root: JSONNode

    /// The session and the key. The subject may hold any characters and is left out.
    public var description: String {
        "VerifiedSession(sid: \(sessionID.printableName), kid: \(keyID.printableName))"
    }

    /// Only the subject, the session and the key.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "subject": subject, "sessionID": sessionID, "tokenID": tokenID, "keyID": keyID,
            ])
    }

    /// Decodes all claims as a type of yours, from the checked parse.
    ///
    /// - Throws: `claimInvalid` with a path if they do not fit the type, `unsupportedType` if the
    ///   type has a `Date`, `URL`, `Data` or `Decimal`.
    public func claims<Claims: Decodable>(as type: Claims.Type) throws(TokenError) -> Claims {
        do {
            return try JSONTokenDecoder().decode(type, from: root)
        } catch {
            throw TokenError(decoding: error)
        }
    }
}
