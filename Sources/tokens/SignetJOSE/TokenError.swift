// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Why a token was rejected, or could not be made.
///
/// It never carries a part of the token or a secret; `keyID` and `claim` are names. Two errors are
/// equal when their codes and claims are. ``HTTPRefusal`` gives the server's answer, the same for
/// every rejected token.
public typealias TokenError = CodedError<TokenErrorDomain>

/// The domain of ``TokenError``.
public enum TokenErrorDomain: ErrorDomain {
    /// The subject of an error. Comparing errors includes the claim.
    public struct Details: Equatable, Sendable {
        let claim: String?
        let detail: TokenError.Detail?

        /// Compares the claims.
        public static func == (a: Self, b: Self) -> Bool { a.claim == b.claim }
    }

    /// The code, the claim and the sentence.
    public static func description(of error: TokenError) -> String {
        "\(error.code)\(error.claim.map { " (\($0))" } ?? ""): \(error.message)"
    }
}

extension TokenError.Code {
    /// Not a compact JWS: not three parts, not strict base64url, not strict JSON, a header member
    /// of a wrong type.
    public static var malformed: Self { Self(rawValue: "malformed") }
    /// Longer than the verifier's limit, and not read; a hint of an ``UnverifiedToken`` is too
    /// long; or the header of an encrypted token has more than 64 names and values.
    public static var tooLarge: Self { Self(rawValue: "tooLarge") }
    /// The header's `alg` is `none`, unknown, or not the algorithm that the key is bound to.
    public static var algorithmNotAllowed: Self { Self(rawValue: "algorithmNotAllowed") }
    /// The header lists extensions as critical (or uses `b64`), and Signet understands none.
    public static var criticalUnsupported: Self { Self(rawValue: "criticalUnsupported") }
    /// No key has the header's `kid`. A remote key set may try again after a refresh.
    public static var noMatchingKey: Self { Self(rawValue: "noMatchingKey") }
    /// Several keys fit, and the header does not say which to use.
    public static var ambiguousKey: Self { Self(rawValue: "ambiguousKey") }
    /// The signature is not valid for this key and the token's bytes.
    public static var signatureInvalid: Self { Self(rawValue: "signatureInvalid") }
    /// An encrypted token does not open with the key that fits its header: it was changed, or is for
    /// a different key.
    public static var decryptionFailed: Self { Self(rawValue: "decryptionFailed") }
    /// The header's `typ` is not the type that the policy requires, or an encrypted token's `cty` is
    /// not `JWT`.
    public static var typeMismatch: Self { Self(rawValue: "typeMismatch") }
    /// A required claim is absent.
    public static var claimMissing: Self { Self(rawValue: "claimMissing") }
    /// A claim has the wrong type or an impossible value.
    public static var claimInvalid: Self { Self(rawValue: "claimInvalid") }
    /// `iss` is not the issuer that the policy names.
    public static var issuerMismatch: Self { Self(rawValue: "issuerMismatch") }
    /// `aud` holds none of the audiences that the policy names.
    public static var audienceMismatch: Self { Self(rawValue: "audienceMismatch") }
    /// `exp` has passed.
    public static var expired: Self { Self(rawValue: "expired") }
    /// `nbf`, or `iat`, is still to come.
    public static var notYetValid: Self { Self(rawValue: "notYetValid") }
    /// `iat` is longer ago than the policy's maximum age.
    public static var tooOld: Self { Self(rawValue: "tooOld") }
    /// The token is bound to its sender (`cnf`), and the rule of SignetIdentity's
    /// `SessionTokenIssuer` takes bearer tokens only.
    public static var senderBound: Self { Self(rawValue: "senderBound") }
    /// The policy contradicts itself or exceeds a limit: the program's fault.
    public static var invalidPolicy: Self { Self(rawValue: "invalidPolicy") }
    /// The claims could not be encoded, or the key could not sign: the program's or the machine's
    /// fault.
    public static var signingFailed: Self { Self(rawValue: "signingFailed") }
    /// The claims' type has a `Date`, `URL`, `Data` or `Decimal` of Foundation, which Signet does
    /// not encode or decode: the program's fault. The message says what to declare instead.
    public static var unsupportedType: Self { Self(rawValue: "unsupportedType") }
    /// libcrypto could not tell whether the signature is valid: no memory, or an algorithm that no
    /// provider offers any more. The failure says nothing about the token, and no token causes it.
    public static var libraryFailure: Self { Self(rawValue: "libraryFailure") }
}

extension TokenError {
    /// A finer reason than the code, for callers that tell causes apart.
    package enum Detail: Sendable {
        /// `malformed`: an object has two members of the same name.
        case duplicateMember
        /// `malformed`: five parts, which is an encrypted token.
        case encrypted
        /// `malformed`: three parts, as a signed token has, where an encrypted token is expected.
        case signed
        /// `algorithmNotAllowed`: Signet does not know the algorithm.
        case unknownAlgorithm
        /// `noMatchingKey`: the key exists but cannot be used.
        case unusableKey
        /// `noMatchingKey`: the header has no `kid`.
        case noKeyID
    }

    /// The claim at fault, if any; for nested claims a path of member names.
    public var claim: String? { details.claim }
    /// A finer reason than the code.
    package var detail: Detail? { details.detail }

    /// An error with a code and a sentence.
    ///
    /// - Parameters:
    ///   - code: the stable reason.
    ///   - claim: the claim at fault; nil for none.
    ///   - underlying: the error of a lower layer that this error stands for.
    ///   - message: a sentence for the operator, without any value of a token.
    public init(
        _ code: Code, claim: String? = nil, underlying: (any Error)? = nil, _ message: ErrorMessage
    ) {
        self.init(code, claim: claim, detail: nil, underlying: underlying, message)
    }

    package init(
        _ code: Code, claim: String? = nil, detail: Detail?, underlying: (any Error)? = nil,
        _ message: ErrorMessage
    ) {
        self.init(
            code, details: .init(claim: claim, detail: detail), underlying: underlying, message)
    }
}
