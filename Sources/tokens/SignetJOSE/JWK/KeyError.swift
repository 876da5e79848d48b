// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Why a key or a set of keys was rejected.
///
/// It never carries key material. Two errors are equal when their codes are.
public typealias KeyError = CodedError<KeyErrorDomain>

/// The domain of ``KeyError``.
public enum KeyErrorDomain: ErrorDomain {}

extension KeyError.Code {
    /// Not JSON, not PEM, or a member of the wrong type.
    public static var malformed: Self { Self(rawValue: "malformed") }
    /// Longer than a key or a set may be: its text, a `kid`, or an RSA modulus over 8192 bits.
    public static var tooLarge: Self { Self(rawValue: "tooLarge") }
    /// A `kty`, a curve or a kind of PEM that Signet does not use.
    public static var unsupportedKeyType: Self { Self(rawValue: "unsupportedKeyType") }
    /// An `alg` that Signet neither signs nor verifies with.
    public static var unsupportedAlgorithm: Self { Self(rawValue: "unsupportedAlgorithm") }
    /// The numbers are not a key: a point off its curve, an even modulus, halves that do not fit.
    public static var invalidKeyMaterial: Self { Self(rawValue: "invalidKeyMaterial") }
    /// Too short for the algorithm: RSA under 2048 bits, HMAC under the length of its hash.
    public static var keyTooShort: Self { Self(rawValue: "keyTooShort") }
    /// The algorithm does not go with the key, or with the key's own `alg`.
    public static var algorithmMismatch: Self { Self(rawValue: "algorithmMismatch") }
    /// The key does not say its algorithm, and neither did the caller.
    public static var algorithmRequired: Self { Self(rawValue: "algorithmRequired") }
    /// `use` or `key_ops` does not allow the intended use.
    public static var operationNotAllowed: Self { Self(rawValue: "operationNotAllowed") }
    /// A private key is needed, and this key is public.
    public static var privateKeyRequired: Self { Self(rawValue: "privateKeyRequired") }
    /// An issuer publishes the private half too, so anybody can sign with this key.
    public static var privateKeyPublished: Self { Self(rawValue: "privateKeyPublished") }
    /// A symmetric key where a public key is needed, or a public key where a symmetric key is.
    public static var wrongKeyClass: Self { Self(rawValue: "wrongKeyClass") }
    /// The PEM is encrypted. Signet does not decrypt it.
    public static var encryptedKey: Self { Self(rawValue: "encryptedKey") }
    /// An HMAC secret that is really a public key, a certificate or a JWK.
    public static var notASecret: Self { Self(rawValue: "notASecret") }
    /// A set with symmetric and asymmetric keys side by side.
    public static var mixedKeySet: Self { Self(rawValue: "mixedKeySet") }
    /// Two members of a set of secrets with the same `kid`.
    public static var duplicateKeyID: Self { Self(rawValue: "duplicateKeyID") }
    /// A certificate that is not valid yet, or has expired.
    public static var notValidNow: Self { Self(rawValue: "notValidNow") }
    /// libcrypto failed unexpectedly.
    public static var libraryFailure: Self { Self(rawValue: "libraryFailure") }
}
