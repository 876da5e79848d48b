// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Why an ID token, or an access token of an issuer with remote keys, was not accepted.
///
/// It never carries a value of the token; where claims do not fit a type of the caller's, ``claim`` names the member, made printable. Two
/// errors are equal when their codes and claims are. `HTTPRefusal` gives the server's answer, one
/// and the same for every token that is refused: the reason belongs in the log.
public struct IdentityError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A stable, machine-readable reason. More may be added in a minor version.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The text of the code, which does not change between versions.
        public let rawValue: String

        /// A code from its text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Not a compact JWS: parts, base64url, JSON, a member of a wrong type.
        public static let malformed = Code(rawValue: "malformed")
        /// Longer than the limit. Nothing of it was read.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// An object of it has two members of one name.
        public static let duplicateMember = Code(rawValue: "duplicateMember")
        /// It is encrypted (JWE), which is not offered.
        public static let encrypted = Code(rawValue: "encrypted")
        /// `alg` is none that Signet knows; `none` among them.
        public static let unsupportedAlg = Code(rawValue: "unsupportedAlg")
        /// `alg` is not one of the provider's, or not the key's.
        public static let algMismatch = Code(rawValue: "algMismatch")
        /// The header asks for an extension (`crit`, `b64`).
        public static let critUnknown = Code(rawValue: "critUnknown")
        /// `typ` is not one of this kind of token.
        public static let typeMismatch = Code(rawValue: "typeMismatch")
        /// No key of the issuer has this `kid`, or there is no `kid` and several keys would do.
        public static let unknownKid = Code(rawValue: "unknownKid")
        /// No key in hand has this `kid`, and the issuer has been asked too often to be asked again
        /// now: it may have such a key by now. 503 with `Retry-After`, or 401
        /// (``KeySetOptions/refusesHeldBackKeys``).
        public static let keyHeldBack = Code(rawValue: "keyHeldBack")
        /// The issuer publishes a key with this `kid` that cannot be used for verifying.
        public static let keyUnusable = Code(rawValue: "keyUnusable")
        /// The signature is not one of this key over these bytes.
        public static let badSignature = Code(rawValue: "badSignature")
        /// `iss` is missing or another.
        public static let issuer = Code(rawValue: "issuer")
        /// `aud` is missing, or none of the accepted client identifiers is in it.
        public static let audienceMissing = Code(rawValue: "audienceMissing")
        /// `aud` holds somebody who is not trusted, besides an accepted one.
        public static let audienceUntrusted = Code(rawValue: "audienceUntrusted")
        /// `azp` is missing where several audiences ask for it, or is none that is accepted.
        public static let azp = Code(rawValue: "azp")
        /// `sub` is missing, empty, too long or of a form that this provider does not use.
        public static let subject = Code(rawValue: "subject")
        /// `exp` has passed.
        public static let expired = Code(rawValue: "expired")
        /// `nbf` is still to come.
        public static let notYetValid = Code(rawValue: "notYetValid")
        /// `iat` lies in the future.
        public static let issuedInFuture = Code(rawValue: "issuedInFuture")
        /// `iat` is longer ago than the policy allows.
        public static let tooOld = Code(rawValue: "tooOld")
        /// Between `iat` and `exp` lies more time than this provider gives.
        public static let lifetimeTooLong = Code(rawValue: "lifetimeTooLong")
        /// A nonce was sent and the token has none.
        public static let nonceMissing = Code(rawValue: "nonceMissing")
        /// The token's nonce is another, or none was sent and the token has one.
        public static let nonceMismatch = Code(rawValue: "nonceMismatch")
        /// `at_hash` is missing or does not match the access token.
        public static let atHash = Code(rawValue: "atHash")
        /// `c_hash` is missing or does not match the code.
        public static let cHash = Code(rawValue: "cHash")
        /// A verified e-mail address is asked for and the provider does not vouch for one.
        public static let emailUnverified = Code(rawValue: "emailUnverified")
        /// `hd` is missing or none of the accepted domains.
        public static let hostedDomain = Code(rawValue: "hostedDomain")
        /// `tid` is missing, no GUID, not the issuer's, not the key's, or none of the accepted tenants.
        public static let tenant = Code(rawValue: "tenant")
        /// `auth_time` is missing, in the future, or longer ago than the request allows.
        public static let authTooOld = Code(rawValue: "authTooOld")
        /// `acr` is missing or none of the accepted ones.
        public static let acr = Code(rawValue: "acr")
        /// Another required claim is missing.
        public static let claimMissing = Code(rawValue: "claimMissing")
        /// Another claim has a wrong type or an impossible value.
        public static let claimInvalid = Code(rawValue: "claimInvalid")
        /// A claim is none of the values that the program accepts for it.
        public static let valueNotAccepted = Code(rawValue: "valueNotAccepted")
        /// The token is good, and has not the scopes that are asked for. Answer 403.
        public static let insufficientScope = Code(rawValue: "insufficientScope")
        /// The issuer's keys are out of reach: worth trying again. Answer 503.
        public static let keySourceUnavailable = Code(rawValue: "keySourceUnavailable")
        /// The claims' type has a `Date`, `URL`, `Data` or `Decimal` of Foundation, which are not
        /// coded: a fault of the program. The message says what to declare instead.
        public static let unsupportedType = Code(rawValue: "unsupportedType")
        /// libcrypto could not tell whether the signature is good: no memory, or an algorithm that
        /// no provider gives any more. Says nothing of the token.
        public static let libraryFailure = Code(rawValue: "libraryFailure")
    }

    /// The stable reason.
    public let code: Code
    /// The claim that it is about, where it is about one.
    public let claim: String?
    /// A sentence for a person who operates the server: what was wrong and what to do.
    public let message: String
    /// After how many seconds trying again is of use (`keySourceUnavailable`, `keyHeldBack`); nil
    /// where that is not known, or not to be told.
    public let retryAfterSeconds: Int?

    /// The scopes that the program asked for, with `insufficientScope`.
    package let scopes: [String]

    /// An error with a code and a sentence.
    public init(
        _ code: Code, claim: String? = nil, retryAfterSeconds: Int? = nil, _ message: String
    ) {
        self.init(code, claim: claim, retryAfterSeconds: retryAfterSeconds, message, scopes: [])
    }

    init(
        _ code: Code, claim: String? = nil, retryAfterSeconds: Int? = nil, _ message: String,
        scopes: [String]
    ) {
        self.code = code
        self.claim = claim
        self.message = message
        self.retryAfterSeconds = retryAfterSeconds
        self.scopes = scopes
    }

    /// Compares codes and claims, not sentences.
    public static func == (a: IdentityError, b: IdentityError) -> Bool {
        a.code == b.code && a.claim == b.claim
    }

    /// The code, the claim and the sentence.
    public var description: String {
        "\(code.rawValue)\(claim.map { " (\($0))" } ?? ""): \(message)"
    }
}
