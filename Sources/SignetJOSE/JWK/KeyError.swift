// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Why a key or a set of keys was not accepted.
///
/// It never carries key material. Two errors are equal when their codes are.
public struct KeyError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A stable, machine-readable reason. More may be added in a minor version.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The text of the code, which does not change between versions.
        public let rawValue: String

        /// A code from its text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Not JSON, not PEM, or a member of the wrong type.
        public static let malformed = Code(rawValue: "malformed")
        /// Longer than a key or a set may be: its text, a `kid`, or an RSA modulus over 8192 bits.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// A `kty`, a curve or a kind of PEM that Signet does not use.
        public static let unsupportedKeyType = Code(rawValue: "unsupportedKeyType")
        /// An `alg` that Signet does not sign or verify with.
        public static let unsupportedAlgorithm = Code(rawValue: "unsupportedAlgorithm")
        /// The numbers are not a key: a point off its curve, an even modulus, halves that do not fit.
        public static let invalidKeyMaterial = Code(rawValue: "invalidKeyMaterial")
        /// Too short for the algorithm: RSA under 2048 bits, HMAC under the length of its hash.
        public static let keyTooShort = Code(rawValue: "keyTooShort")
        /// The algorithm does not go with the key, or with the key's own `alg`.
        public static let algorithmMismatch = Code(rawValue: "algorithmMismatch")
        /// The key does not say its algorithm, and neither did the caller.
        public static let algorithmRequired = Code(rawValue: "algorithmRequired")
        /// `use` or `key_ops` do not allow what the key is wanted for.
        public static let operationNotAllowed = Code(rawValue: "operationNotAllowed")
        /// A private key is needed, and this is a public one.
        public static let privateKeyRequired = Code(rawValue: "privateKeyRequired")
        /// An issuer publishes the private half with it: anybody can sign with this key.
        public static let privateKeyPublished = Code(rawValue: "privateKeyPublished")
        /// A symmetric key where a public key is needed, or the other way round.
        public static let wrongKeyClass = Code(rawValue: "wrongKeyClass")
        /// The PEM is encrypted, which Signet does not open.
        public static let encryptedKey = Code(rawValue: "encryptedKey")
        /// An HMAC secret that is really a public key, a certificate or a JWK.
        public static let notASecret = Code(rawValue: "notASecret")
        /// A set with symmetric and asymmetric keys side by side.
        public static let mixedKeySet = Code(rawValue: "mixedKeySet")
        /// Two members of a set of secrets with one `kid`.
        public static let duplicateKeyID = Code(rawValue: "duplicateKeyID")
        /// A certificate whose time has not come, or is over.
        public static let notValidNow = Code(rawValue: "notValidNow")
        /// libcrypto failed where it should not.
        public static let libraryFailure = Code(rawValue: "libraryFailure")
    }

    /// The stable reason.
    public let code: Code
    /// A sentence for a person: what was wrong and what to do.
    public let message: String

    /// An error with a code and a sentence.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Compares the codes only.
    public static func == (a: KeyError, b: KeyError) -> Bool { a.code == b.code }

    /// The code and the sentence.
    public var description: String { "\(code.rawValue): \(message)" }
}
