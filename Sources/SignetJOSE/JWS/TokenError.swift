// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Why a token was not accepted, or could not be made.
///
/// It never carries a part of the token or a secret; `keyID` and `claim` are names. Two errors are equal when their
/// codes and claims are. ``HTTPRefusal`` gives the server's answer, one and the same for every
/// token that is refused.
public struct TokenError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A stable, machine-readable reason. More may be added in a minor version.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The text of the code, which does not change between versions.
        public let rawValue: String

        /// A code from its text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Not a compact JWS: not three parts, not strict base64url, not strict JSON, a header member of a wrong type.
        public static let malformed = Code(rawValue: "malformed")
        /// Longer than the verifier's limit: nothing of it was read. Or one of the hints of an
        /// ``UnverifiedToken`` is.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// The header's `alg` is `none`, unknown, or not the one that the key is bound to.
        public static let algorithmNotAllowed = Code(rawValue: "algorithmNotAllowed")
        /// The header lists extensions as critical (or uses `b64`), and Signet understands none.
        public static let criticalUnsupported = Code(rawValue: "criticalUnsupported")
        /// No key has the header's `kid`. A remote key set may try again after a refresh.
        public static let noMatchingKey = Code(rawValue: "noMatchingKey")
        /// Several keys would do, and the header does not say which.
        public static let ambiguousKey = Code(rawValue: "ambiguousKey")
        /// The signature is not one of this key over these bytes.
        public static let signatureInvalid = Code(rawValue: "signatureInvalid")
        /// The header's `typ` is not the one that the policy asks for.
        public static let typeMismatch = Code(rawValue: "typeMismatch")
        /// A claim that the policy requires is not there.
        public static let claimMissing = Code(rawValue: "claimMissing")
        /// A claim has the wrong type or an impossible value.
        public static let claimInvalid = Code(rawValue: "claimInvalid")
        /// `iss` is not the issuer that the policy names.
        public static let issuerMismatch = Code(rawValue: "issuerMismatch")
        /// `aud` holds none of the audiences that the policy names.
        public static let audienceMismatch = Code(rawValue: "audienceMismatch")
        /// `exp` has passed.
        public static let expired = Code(rawValue: "expired")
        /// `nbf`, or `iat`, is still to come.
        public static let notYetValid = Code(rawValue: "notYetValid")
        /// `iat` is longer ago than the policy's maximum age.
        public static let tooOld = Code(rawValue: "tooOld")
        /// The policy contradicts itself or goes over a limit: a fault of the program.
        public static let invalidPolicy = Code(rawValue: "invalidPolicy")
        /// The claims could not be encoded, or the key could not sign: a fault of the program or of the machine.
        public static let signingFailed = Code(rawValue: "signingFailed")
        /// The claims' type has a `Date`, `URL`, `Data` or `Decimal` of Foundation, which are not
        /// coded: a fault of the program. The message says what to declare instead.
        public static let unsupportedType = Code(rawValue: "unsupportedType")
        /// libcrypto could not tell whether the signature is good: no memory, or an algorithm that
        /// no provider gives any more. Says nothing of the token, and no token can lead there.
        public static let libraryFailure = Code(rawValue: "libraryFailure")
    }

    /// What a code leaves open, for those who tell more reasons apart.
    package enum Detail: Sendable {
        /// `malformed`: an object has two members of one name.
        case duplicateMember
        /// `malformed`: five parts, which is an encrypted token.
        case encrypted
        /// `algorithmNotAllowed`: none that Signet knows.
        case unknownAlgorithm
        /// `noMatchingKey`: there is such a key, and it cannot be used.
        case unusableKey
        /// `noMatchingKey`: the header has no `kid`.
        case noKeyID
    }

    /// The stable reason.
    public let code: Code
    /// The claim that it is about, where it is about one. For nested claims a path of member names.
    public let claim: String?
    /// A sentence for a person who operates the server: what was wrong and what to do.
    public let message: String
    /// What the code leaves open.
    package let detail: Detail?

    /// An error with a code and a sentence.
    public init(_ code: Code, claim: String? = nil, _ message: String) {
        self.init(code, claim: claim, detail: nil, message)
    }

    package init(_ code: Code, claim: String? = nil, detail: Detail?, _ message: String) {
        self.code = code
        self.claim = claim
        self.detail = detail
        self.message = message
    }

    /// Compares codes and claims, not sentences.
    public static func == (a: TokenError, b: TokenError) -> Bool {
        a.code == b.code && a.claim == b.claim
    }

    /// The code, the claim and the sentence.
    public var description: String {
        "\(code.rawValue)\(claim.map { " (\($0))" } ?? ""): \(message)"
    }
}
