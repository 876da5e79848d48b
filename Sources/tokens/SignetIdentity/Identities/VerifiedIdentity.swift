// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetEmail
internal import SignetJOSE

/// The person who signed in, from a fully checked ID token. Only an ``IDTokenVerifier`` makes it.
///
/// Store users by ``identityKey`` only. People choose their names and pictures: show them, decide
/// nothing by them. Printing shows issuer and subject, and none of the personal data.
public struct VerifiedIdentity: Sendable, CustomStringConvertible, CustomReflectable {
    /// The person's permanent identity.
    public let identityKey: IdentityKey
    /// `iss`, as the token has it.
    public let issuer: String
    /// `sub`.
    public let subject: String
    /// `aud`, as a list even for a single string.
    public let audience: [String]
    /// `azp`: the client that requested the token.
    public let authorizedParty: String?
    /// `iat`.
    public let issuedAt: NumericDate
    /// `exp`. A session may end later or earlier: the token only says who signed in.
    public let expiration: NumericDate
    /// `auth_time`: when the person last proved who they are.
    public let authenticationTime: NumericDate?
    /// `acr`: how the person authenticated.
    public let authenticationContext: String?
    /// `sid`: the provider's session, if stated. A back-channel logout may name it.
    public let sessionID: String?
    /// The `kid` of the key that verified.
    public let keyID: String?
    /// `name`, as the person or the provider wrote it.
    public let name: String?
    /// `picture`. **Not** checked: that it is a URL, and its scheme.
    public let picture: String?
    /// `hd`: the Google Workspace domain of the account; nil from every other provider, even if it
    /// sends `hd`.
    public let hostedDomain: String?
    /// `tid`: the Microsoft Entra tenant; nil from every other provider, even if it sends `tid`.
    public let tenantID: String?
    /// The e-mail address and what it is worth.
    public let email: EmailClaims
    /// The signed ID token, decrypted if it came encrypted: what the provider accepts as
    /// `id_token_hint`, such as in a logout's address (OpenID Connect Core 1.0, section 3.1.2.1).
    /// It holds personal data: do not log it.
    public let idTokenHint: String
    let registered: RegisteredClaims

    /// Decodes all claims as a type of yours, from the checked parse.
    ///
    /// The issuer signed them but may not have verified them: Supabase's `user_metadata` is written
    /// by the user.
    ///
    /// - Throws: `claimInvalid` with a path if they do not fit the type, `unsupportedType` if the
    ///   type has a `Date`, `URL`, `Data` or `Decimal`.
    public func claims<Claims: Decodable>(as type: Claims.Type) throws(IdentityError) -> Claims {
        try registered.decode(type)
    }

    /// The claims as they were signed, as JSON.
    package var signedClaims: [UInt8] { Array(registered.root.rawBytes) }

    /// Issuer and subject.
    public var description: String { "VerifiedIdentity(\(identityKey))" }

    /// Only the issuer and the subject.
    public var customMirror: Mirror {
        Mirror(self, children: ["issuer": issuer, "subject": subject])
    }
}

extension RegisteredClaims {
    func decode<Claims: Decodable>(_ type: Claims.Type) throws(IdentityError) -> Claims {
        try root.decodeClaims(type)
    }
}

extension JSONNode {
    func decodeClaims<Claims: Decodable>(_ type: Claims.Type) throws(IdentityError) -> Claims {
        do {
            return try JSONTokenDecoder().decode(type, from: self)
        } catch {
            let error = TokenError(decoding: error)
            // The token has been verified, so only the type can be at fault: no codes for single
            // claims.
            throw IdentityError(
                error.code == .unsupportedType ? .unsupportedType : .claimInvalid,
                claim: error.claim,
                underlying: error, "\(messageOf: error)")
        }
    }
}
