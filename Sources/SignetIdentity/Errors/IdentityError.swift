// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Why an ID token, or an access token of an issuer with remote keys, was not accepted.
///
/// It never carries a value of the token; where claims do not fit a type of the caller's, `claim`
/// names the member, made printable. Two errors are equal when their codes and claims are.
/// `HTTPRefusal` gives the server's answer, one and the same for every token that is refused: the
/// reason belongs in the log.
public typealias IdentityError = CodedError<IdentityErrorDomain>

/// The domain of ``IdentityError``.
public enum IdentityErrorDomain: ErrorDomain {
    /// What an error is about. The claim counts when errors are compared.
    public struct Details: Equatable, Sendable {
        let claim: String?
        let retryAfterSeconds: Int?
        let scopes: [String]

        /// Compares the claims.
        public static func == (a: Self, b: Self) -> Bool { a.claim == b.claim }
    }

    /// The code, the claim and the sentence.
    public static func description(of error: IdentityError) -> String {
        "\(error.code.rawValue)\(error.claim.map { " (\($0))" } ?? ""): \(error.message)"
    }
}

extension IdentityError.Code {
    /// Not a compact JWS: parts, base64url, JSON, a member of a wrong type.
    public static var malformed: Self { Self(rawValue: "malformed") }
    /// Longer than the limit. Nothing of it was read.
    public static var tooLarge: Self { Self(rawValue: "tooLarge") }
    /// An object of it has two members of one name.
    public static var duplicateMember: Self { Self(rawValue: "duplicateMember") }
    /// It is encrypted (JWE), which is not offered.
    public static var encrypted: Self { Self(rawValue: "encrypted") }
    /// Signet does not know the `alg`; `none` is one such value.
    public static var unsupportedAlg: Self { Self(rawValue: "unsupportedAlg") }
    /// `alg` is not one of the provider's, or not the key's.
    public static var algMismatch: Self { Self(rawValue: "algMismatch") }
    /// The header asks for an extension (`crit`, `b64`).
    public static var critUnknown: Self { Self(rawValue: "critUnknown") }
    /// `typ` is not one of this kind of token.
    public static var typeMismatch: Self { Self(rawValue: "typeMismatch") }
    /// No key of the issuer has this `kid`, or there is no `kid` and several keys would do.
    public static var unknownKid: Self { Self(rawValue: "unknownKid") }
    /// No key in hand has this `kid`, and the issuer has been asked too often to be asked again
    /// now: it may have such a key by now. 503 with `Retry-After`, or 401
    /// (``KeySetOptions/refusesHeldBackKeys``).
    public static var keyHeldBack: Self { Self(rawValue: "keyHeldBack") }
    /// The issuer publishes a key with this `kid` that cannot be used for verifying.
    public static var keyUnusable: Self { Self(rawValue: "keyUnusable") }
    /// The signature is not one of this key over these bytes.
    public static var badSignature: Self { Self(rawValue: "badSignature") }
    /// `iss` is missing or another.
    public static var issuer: Self { Self(rawValue: "issuer") }
    /// `aud` is missing, or none of the accepted client identifiers is in it.
    public static var audienceMissing: Self { Self(rawValue: "audienceMissing") }
    /// `aud` holds a party that is not trusted, besides an accepted one.
    public static var audienceUntrusted: Self { Self(rawValue: "audienceUntrusted") }
    /// `azp` is missing where several audiences ask for it, or is not an accepted one.
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
    /// Between `iat` and `exp` lies more time than this provider gives.
    public static var lifetimeTooLong: Self { Self(rawValue: "lifetimeTooLong") }
    /// A nonce was sent and the token has none.
    public static var nonceMissing: Self { Self(rawValue: "nonceMissing") }
    /// The token's nonce is another, or none was sent and the token has one.
    public static var nonceMismatch: Self { Self(rawValue: "nonceMismatch") }
    /// `at_hash` is missing or does not match the access token.
    public static var atHash: Self { Self(rawValue: "atHash") }
    /// `c_hash` is missing or does not match the code.
    public static var cHash: Self { Self(rawValue: "cHash") }
    /// A verified e-mail address is asked for and the provider does not vouch for one.
    public static var emailUnverified: Self { Self(rawValue: "emailUnverified") }
    /// `hd` is missing or none of the accepted domains.
    public static var hostedDomain: Self { Self(rawValue: "hostedDomain") }
    /// `tid` is missing, no GUID, not the issuer's, not the key's, or none of the accepted tenants.
    public static var tenant: Self { Self(rawValue: "tenant") }
    /// `auth_time` is missing, in the future, or longer ago than the request allows.
    public static var authTooOld: Self { Self(rawValue: "authTooOld") }
    /// `acr` is missing or none of the accepted ones.
    public static var acr: Self { Self(rawValue: "acr") }
    /// Another required claim is missing.
    public static var claimMissing: Self { Self(rawValue: "claimMissing") }
    /// Another claim has a wrong type or an impossible value.
    public static var claimInvalid: Self { Self(rawValue: "claimInvalid") }
    /// A claim's value is not one that the program accepts.
    public static var valueNotAccepted: Self { Self(rawValue: "valueNotAccepted") }
    /// The token is good, and has not the scopes that are asked for. Answer 403.
    public static var insufficientScope: Self { Self(rawValue: "insufficientScope") }
    /// The issuer's keys are out of reach: worth trying again. Answer 503.
    public static var keySourceUnavailable: Self { Self(rawValue: "keySourceUnavailable") }
    /// The server that issued the token says that it is not active (RFC 7662): expired, revoked, or
    /// never issued.
    public static var inactive: Self { Self(rawValue: "inactive") }
    /// The introspection endpoint is out of reach or overloaded: worth trying again. Answer 503.
    public static var introspectionUnavailable: Self { Self(rawValue: "introspectionUnavailable") }
    /// The introspection endpoint refuses this server as its client, or answers what is none of RFC
    /// 7662: says nothing of the token. Answer 500.
    public static var introspectionFailed: Self { Self(rawValue: "introspectionFailed") }
    /// The logout token has been received before.
    public static var replayed: Self { Self(rawValue: "replayed") }
    /// The claims' type has a `Date`, `URL`, `Data` or `Decimal` of Foundation, which are not
    /// coded: a fault of the program. The message says what to declare instead.
    public static var unsupportedType: Self { Self(rawValue: "unsupportedType") }
    /// libcrypto could not tell whether the signature is good: no memory, or an algorithm that
    /// no provider gives any more. Says nothing of the token.
    public static var libraryFailure: Self { Self(rawValue: "libraryFailure") }
}

extension IdentityError {
    /// The claim that it is about, where it is about one.
    public var claim: String? { details.claim }
    /// After how many seconds trying again is of use (`keySourceUnavailable`, `keyHeldBack`); nil
    /// where that is not known, or not to be told.
    public var retryAfterSeconds: Int? { details.retryAfterSeconds }
    /// The scopes that the program asked for, with `insufficientScope`.
    package var scopes: [String] { details.scopes }

    /// An error with a code and a sentence.
    ///
    /// - Parameters:
    ///   - code: what happened, in a form that does not change.
    ///   - claim: the claim that it is about; nil for none.
    ///   - retryAfterSeconds: seconds to wait before a retry; nil when unknown.
    ///   - scopes: those that the program asked for, with `insufficientScope`.
    ///   - message: a sentence for the operator, with no value of a token in it.
    public init(
        _ code: Code, claim: String? = nil, retryAfterSeconds: Int? = nil, scopes: [String] = [],
        _ message: String
    ) {
        self.init(
            code,
            details: .init(claim: claim, retryAfterSeconds: retryAfterSeconds, scopes: scopes),
            message)
    }
}
