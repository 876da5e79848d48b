// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetMemory

/// Verifies a compact JWS (RFC 7515) over any payload. For JWT use ``TokenVerifier``, which also
/// checks the claims.
///
/// ```swift
/// let signed = try JWSVerifier(key: key.verificationKey).verify(compact)
/// print(signed.payload.elementsEqual("a release".utf8), signed.keyID ?? "no kid")
/// ```
///
/// Checked: size, strict base64url and JSON, no duplicate member, no `crit`, the header's `alg`
/// against the key's, the key by its `kid`, the signature. **Not** checked: the payload, `typ` and
/// `cty`.
public struct JWSVerifier: Sendable {
    private let checker: SignatureChecker

    /// Verifies with a set of public keys.
    ///
    /// - Parameters:
    ///   - keys: the keys; the header's `kid` chooses a key.
    ///   - maximumByteCount: longer tokens are rejected unread; 1 MiB by default, 64 MiB at most.
    public init(keys: KeySet, maximumByteCount: Int = 1 << 20) {
        self.init(keys.ring, maximumByteCount: maximumByteCount)
    }

    /// Verifies with a public key. A key without an identifier accepts any `kid`.
    public init(key: VerificationKey, maximumByteCount: Int = 1 << 20) {
        self.init(KeyRing(key.checking), maximumByteCount: maximumByteCount)
    }

    /// Verifies with a secret. A key without an identifier accepts any `kid`.
    ///
    /// - Throws: `operationNotAllowed` if the key's `key_ops` do not allow verifying.
    public init(hmacKey: HMACKey, maximumByteCount: Int = 1 << 20) throws(KeyError) {
        self.init(
            KeyRing(try hmacKey.checkedForVerifying().checking), maximumByteCount: maximumByteCount)
    }

    /// Verifies with a ring of secrets.
    ///
    /// - Throws: `operationNotAllowed` if the `key_ops` of a secret do not allow verifying.
    public init(hmacKeys: HMACKeySet, maximumByteCount: Int = 1 << 20) throws(KeyError) {
        self.init(try hmacKeys.checkedForVerifying().ring, maximumByteCount: maximumByteCount)
    }

    private init(_ keys: KeyRing, maximumByteCount: Int) {
        checker = SignatureChecker(
            keys: keys, maximumByteCount: min(max(maximumByteCount, 0), Self.byteCountCeiling))
    }

    /// The most that a caller's limit may be: 64 MiB, since a payload may be a document.
    private static let byteCountCeiling = 1 << 26

    /// Verifies a token and returns its payload.
    ///
    /// - Throws: `tooLarge`, `malformed`, `criticalUnsupported`, `algorithmNotAllowed`,
    ///   `noMatchingKey`, `ambiguousKey`, `signatureInvalid`.
    public func verify(_ compact: String) throws(TokenError) -> VerifiedPayload {
        VerifiedPayload(try checker.check(compact.utf8.span))
    }

    /// Verifies a token in a part of a text, without copying it.
    public func verify(_ compact: Substring) throws(TokenError) -> VerifiedPayload {
        VerifiedPayload(try checker.check(compact.utf8.span))
    }

    /// Verifies a token given as bytes.
    public func verify(_ compact: some Collection<UInt8>) throws(TokenError) -> VerifiedPayload {
        try checker.checkSize(compact.count)
        return try withSpan(of: compact) { (token) throws(TokenError) in
            VerifiedPayload(try checker.check(token))
        }
    }
}

extension HMACKey {
    /// The key itself, if its `key_ops` allow verifying.
    func checkedForVerifying() throws(KeyError) -> HMACKey {
        guard canVerify else {
            throw KeyError(.operationNotAllowed, "The key's \"key_ops\" do not allow verifying.")
        }
        return self
    }

    /// The key itself, if it is not weak and its `key_ops` allow signing.
    func checkedForSigning() throws(KeyError) -> HMACKey {
        guard !isWeak else {
            throw KeyError(
                .operationNotAllowed,
                "A weak secret only verifies: sign with one as long as the hash.")
        }
        guard canSign else {
            throw KeyError(.operationNotAllowed, "The key's \"key_ops\" do not allow signing.")
        }
        return self
    }
}

extension HMACKeySet {
    /// The set itself, if every key's `key_ops` allow verifying.
    func checkedForVerifying() throws(KeyError) -> HMACKeySet {
        for key in keys { _ = try key.checkedForVerifying() }
        return self
    }
}
