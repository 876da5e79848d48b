// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE

/// A session token that has been verified. Only a ``SessionTokenIssuer`` makes one. Printing it
/// shows no claims of the application's own.
public struct VerifiedSession: Sendable, CustomStringConvertible, CustomReflectable {
    /// `sub`: the application's identifier of its user, as it was issued.
    public let subject: String
    /// `sid`: the session.
    public let sessionID: String
    /// `jti`: this token. Look it up where revoked ones are remembered; Signet does not.
    public let tokenID: String
    /// `iat`. Where "log out everywhere" is a moment in time, refuse what was issued before it.
    public let issuedAt: NumericDate
    /// `exp`.
    public let expiration: NumericDate
    /// The key of the ring that verified.
    public let keyID: String
    let root: JSONNode

    /// The session and the key. The subject may hold any characters, and is left out.
    public var description: String {
        "VerifiedSession(sid: \(sessionID.printableName), kid: \(keyID.printableName))"
    }

    /// Shows who, which session and which key only.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "subject": subject, "sessionID": sessionID, "tokenID": tokenID, "keyID": keyID,
            ])
    }

    /// All claims as a type of the caller's, from the parse that the checks have read.
    ///
    /// - Throws: `claimInvalid` with a path when they do not fit the type, `unsupportedType` when
    ///   the type has a `Date`, `URL`, `Data` or `Decimal`.
    public func claims<Claims: Decodable>(as type: Claims.Type) throws(TokenError) -> Claims {
        do throws(JSONError) {
            return try JSONTokenDecoder().decode(type, from: root)
        } catch {
            throw TokenError(decoding: error)
        }
    }
}
