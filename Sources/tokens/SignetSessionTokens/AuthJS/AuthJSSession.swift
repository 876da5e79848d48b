// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE

/// The session of a person who is signed in at your own website with Auth.js. Only
/// ``AuthJSSessions`` makes it. Printing shows nothing of the claims.
///
/// Without a database adapter, Auth.js 5 gives a person a new random ``subject`` at each sign-in.
/// Have the website's callback `jwt` write a claim of your own, such as the provider and its
/// account, and find the user by that claim (``claims(as:)``). A subject is one of Auth.js at this
/// site: do not compare it with a provider's, or with those of a ``SessionTokenIssuer``.
public struct AuthJSSession: Sendable, CustomStringConvertible, CustomReflectable {
    /// `sub`, 1 to 255 bytes: random at each sign-in, or the adapter's user.
    public let subject: String
    /// `email`, to be shown; nil if it is no text, like the other two of the profile. It is no
    /// evidence that the address was verified, or is still the person's. Apply no domain rule to it
    /// and link no account by it.
    public let unverifiedEmail: String?
    /// `name`, as the person or the provider wrote it.
    public let name: String?
    /// `picture`. **Not** checked: that it is a URL, and its scheme.
    public let picture: String?
    /// `iat`: when the cookie was written, which Auth.js repeats while the person uses the website.
    public let issuedAt: NumericDate?
    /// `exp`.
    public let expiration: NumericDate
    private let root: JSONNode

    /// Reads checked claims. In the profile, which is only shown, any type but text counts as
    /// absent: a website may copy whatever a provider says, and Auth.js itself writes `null`.
    init(_ claims: RegisteredClaims) throws(TokenError) {
        guard let expiration = claims.expiration else {
            throw TokenError(.claimMissing, claim: "exp", "The claim \"exp\" is missing.")
        }
        guard let subject = claims.subjectText, (1...255).contains(subject.byteCount) else {
            throw TokenError(
                .claimInvalid, claim: "sub", "The claim \"sub\" is not text of 1 to 255 bytes.")
        }
        self.subject = subject.swiftString()
        unverifiedEmail = Self.text("email", in: claims.root)
        name = Self.text("name", in: claims.root)
        picture = Self.text("picture", in: claims.root)
        issuedAt = claims.issuedAt
        self.expiration = expiration
        root = claims.root
    }

    private static func text(_ claim: String, in root: JSONNode) -> String? {
        root.text(of: claim)?.swiftString()
    }

    /// "redacted".
    public var description: String { "AuthJSSession(redacted)" }

    /// Only the times.
    public var customMirror: Mirror {
        Mirror(self, children: ["issuedAt": issuedAt as Any, "expiration": expiration])
    }

    /// Decodes all claims as a type of yours, from the checked parse: those that the website's
    /// callback `jwt` writes too.
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
