// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Why an ID token, or an access token of an issuer with remote keys, was rejected.
///
/// It never carries a value of the token. If claims do not fit a type of yours, `claim` names the
/// member, made printable. Two errors are equal when their codes and claims are. `HTTPRefusal`
/// gives the server's answer, the same for every rejected token: log the reason instead.
public typealias IdentityError = CodedError<IdentityErrorDomain>

/// The domain of ``IdentityError``.
public enum IdentityErrorDomain: ErrorDomain {
    /// The subject of an error. Comparing errors includes the claim.
    public struct Details: Equatable, Sendable {
        let claim: String?
        let retryAfterSeconds: Int?
        let scopes: [String]
        var keyProblem: IdentityError.KeyProblem?

        /// Compares the claims.
        public static func == (a: Self, b: Self) -> Bool { a.claim == b.claim }
    }

    /// The code, the claim and the sentence.
    public static func description(of error: IdentityError) -> String {
        "\(error.code)\(error.claim.map { " (\($0))" } ?? ""): \(error.message)"
    }
}

extension IdentityError.Code {
    /// Not a compact JWS: parts, base64url, JSON, a member of a wrong type.
    public static var malformed: Self { Self(rawValue: "malformed") }
    /// Longer than the limit, and not read.
    public static var tooLarge: Self { Self(rawValue: "tooLarge") }
    /// An object has two members of the same name.
    public static var duplicateMember: Self { Self(rawValue: "duplicateMember") }
    /// The token is encrypted (JWE), and this verifier does not decrypt; or it is encrypted twice.
    public static var encrypted: Self { Self(rawValue: "encrypted") }
    /// The token is only signed, and the verifier requires encryption.
    public static var notEncrypted: Self { Self(rawValue: "notEncrypted") }
    /// An encrypted token does not open with the key that fits its header: it was changed, or is
    /// for a different key.
    public static var decryptionFailed: Self { Self(rawValue: "decryptionFailed") }
    /// Signet does not know the `alg`, for example `none`.
    public static var unsupportedAlg: Self { Self(rawValue: "unsupportedAlg") }
    /// `alg` is none of the provider's algorithms, or not the key's.
    public static var algMismatch: Self { Self(rawValue: "algMismatch") }
    /// The header asks for an extension (`crit`, `b64`).
    public static var critUnknown: Self { Self(rawValue: "critUnknown") }
    /// `typ` does not belong to this kind of token, or an encrypted token's `cty` is not `JWT`.
    public static var typeMismatch: Self { Self(rawValue: "typeMismatch") }
    /// No key of the issuer has this `kid`, or there is no `kid` and several keys fit. For an
    /// encrypted token, also of the keys that decrypt.
    public static var unknownKid: Self { Self(rawValue: "unknownKid") }
    /// No key in hand has this `kid`, or the key with this `kid` does not verify the token. The
    /// issuer may not be asked again yet, although it may have the token's key by now. 503 with
    /// `Retry-After`, or 401 (``KeySetOptions/refusesHeldBackKeys``).
    public static var keyHeldBack: Self { Self(rawValue: "keyHeldBack") }
    /// The issuer publishes a key with this `kid` that cannot be used for verifying.
    public static var keyUnusable: Self { Self(rawValue: "keyUnusable") }
    /// The key did not make this signature over the token's bytes.
    public static var badSignature: Self { Self(rawValue: "badSignature") }
    /// `iss` is missing or names another issuer.
    public static var issuer: Self { Self(rawValue: "issuer") }
    /// `aud` is missing, or holds none of the accepted client identifiers.
    public static var audienceMissing: Self { Self(rawValue: "audienceMissing") }
    /// `aud` also holds a party that is not trusted.
    public static var audienceUntrusted: Self { Self(rawValue: "audienceUntrusted") }
    /// `azp` is missing though several audiences require it, or is not accepted.
    public static var azp: Self { Self(rawValue: "azp") }
    /// `sub` is missing, empty, too long or of a form that this provider does not use.
    public static var subject: Self { Self(rawValue: "subject") }
    /// `exp` has passed.
    public static var expired: Self { Self(rawValue: "expired") }
    /// `nbf` is still to come.
    public static var notYetValid: Self { Self(rawValue: "notYetValid") }
    /// `iat` lies in the future.
    public static var issuedInFuture: Self { Self(rawValue: "issuedInFuture") }
    /// `iat` is longer ago than the policy allows.
    public static var tooOld: Self { Self(rawValue: "tooOld") }
    /// `exp` is further after `iat` than this provider allows.
    public static var lifetimeTooLong: Self { Self(rawValue: "lifetimeTooLong") }
    /// The request sent a nonce, and the token has none.
    public static var nonceMissing: Self { Self(rawValue: "nonceMissing") }
    /// The token's nonce differs from the request's, or the request sent none.
    public static var nonceMismatch: Self { Self(rawValue: "nonceMismatch") }
    /// `at_hash` is missing or does not match the access token.
    public static var atHash: Self { Self(rawValue: "atHash") }
    /// `c_hash` is missing or does not match the code.
    public static var cHash: Self { Self(rawValue: "cHash") }
    /// A verified e-mail address is required, and the provider does not vouch for any.
    public static var emailUnverified: Self { Self(rawValue: "emailUnverified") }
    /// `hd` is missing or none of the accepted domains.
    public static var hostedDomain: Self { Self(rawValue: "hostedDomain") }
    /// `tid` is missing, not a GUID, not accepted, or does not match the issuer or the key.
    public static var tenant: Self { Self(rawValue: "tenant") }
    /// `auth_time` is missing, in the future, or longer ago than the request allows.
    public static var authTooOld: Self { Self(rawValue: "authTooOld") }
    /// `acr` is missing or not accepted.
    public static var acr: Self { Self(rawValue: "acr") }
    /// A required claim without a code of its own is missing.
    public static var claimMissing: Self { Self(rawValue: "claimMissing") }
    /// A claim without a code of its own has a wrong type or an impossible value.
    public static var claimInvalid: Self { Self(rawValue: "claimInvalid") }
    /// The program does not accept a claim's value.
    public static var valueNotAccepted: Self { Self(rawValue: "valueNotAccepted") }
    /// The token is bound to its sender (`cnf`), and the rule takes bearer tokens only
    /// (`SenderRule`).
    public static var senderBound: Self { Self(rawValue: "senderBound") }
    /// The token is valid but lacks the requested scopes. Answer 403.
    public static var insufficientScope: Self { Self(rawValue: "insufficientScope") }
    /// The issuer's keys are unavailable; retry. Answer 503.
    public static var keySourceUnavailable: Self { Self(rawValue: "keySourceUnavailable") }
    /// The issuing server says that the token is not active (RFC 7662): expired, revoked or never
    /// issued.
    public static var inactive: Self { Self(rawValue: "inactive") }
    /// The introspection endpoint is unreachable or overloaded; retry. Answer 503.
    public static var introspectionUnavailable: Self { Self(rawValue: "introspectionUnavailable") }
    /// The introspection endpoint refuses this server as its client, or its answer does not follow
    /// RFC 7662. This says nothing about the token. Answer 500.
    public static var introspectionFailed: Self { Self(rawValue: "introspectionFailed") }
    /// The logout token has been received before.
    public static var replayed: Self { Self(rawValue: "replayed") }
    /// The claims' type has a `Date`, `URL`, `Data` or `Decimal` of Foundation, which Signet does
    /// not encode or decode: the program's fault. The message says what to declare instead.
    public static var unsupportedType: Self { Self(rawValue: "unsupportedType") }
    /// libcrypto could not tell whether the signature is valid: no memory, or an algorithm that no
    /// provider offers any more. The error says nothing about the token.
    public static var libraryFailure: Self { Self(rawValue: "libraryFailure") }
}

extension IdentityError {
    /// The claim at fault; nil if no claim is.
    public var claim: String? { details.claim }
    /// How many seconds to wait before a retry (`keySourceUnavailable`, `keyHeldBack`); nil if
    /// unknown or not to be told.
    public var retryAfterSeconds: Int? { details.retryAfterSeconds }
    /// The scopes that the program asked for, with `insufficientScope`.
    package var scopes: [String] { details.scopes }

    /// Why a token's key is not known (`unknownKid`), where the issuer's newest keys are not the
    /// remedy.
    package enum KeyProblem: Sendable {
        /// Several keys fit, and the token does not say which.
        case ambiguous
        /// The token names no key, and this issuer's tokens always do.
        case unnamed
    }

    /// The reason behind `unknownKid`; nil if no key has the token's `kid`.
    package var keyProblem: KeyProblem? { details.keyProblem }

    /// An error with a code and a sentence.
    ///
    /// - Parameters:
    ///   - code: the stable code.
    ///   - claim: the claim at fault; nil for none.
    ///   - retryAfterSeconds: seconds to wait before a retry; nil if unknown.
    ///   - scopes: the requested scopes, with `insufficientScope`.
    ///   - underlying: the error of a lower layer, its cause.
    ///   - message: a sentence for the operator, without any value of a token.
    public init(
        _ code: Code, claim: String? = nil, retryAfterSeconds: Int? = nil, scopes: [String] = [],
        underlying: (any Error)? = nil, _ message: ErrorMessage
    ) {
        self.init(
            code,
            details: .init(claim: claim, retryAfterSeconds: retryAfterSeconds, scopes: scopes),
            underlying: underlying, message)
    }
}
