// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge
internal import SignetMemory

/// A key that two key pairs have in common: ECDH on P-256, P-384, P-521 or X25519, and then the
/// concatenation KDF of NIST SP 800-56A with SHA-256, as RFC 7518, section 4.6.2, has it.
///
/// ```swift
/// let agreement = try KeyAgreement(algorithmID: "A256GCM".utf8)
/// let alice = try X25519PrivateKey.generate()
/// let bob = try X25519PrivateKey.generate()
/// let ours = try agreement.key(of: alice, with: bob.publicKey)
/// let theirs = try agreement.key(of: bob, with: alice.publicKey)
/// print(ours == theirs)
/// ```
///
/// The shared secret itself is never returned: it is not uniform, and other keys come from the same
/// one. What names the purpose of the key (`algorithmID`), the parties and the length are hashed
/// with it. Without a signature or a code by a known key, the other party is **not** authenticated.
public struct KeyAgreement: Sendable {
    /// OtherInfo without the length of the key.
    private let parties: [UInt8]

    /// What is hashed together with the shared secret, each text after its length in four bytes.
    ///
    /// - Parameters:
    ///   - algorithmID: the algorithm that the key is for; 65,535 bytes at most.
    ///   - partyUInfo: about the sender; 65,535 bytes at most, and none by default.
    ///   - partyVInfo: about the recipient, like `partyUInfo`.
    /// - Throws: `invalidParameter` for a longer text.
    public init(
        algorithmID: some Collection<UInt8>, partyUInfo: some Collection<UInt8> = [],
        partyVInfo: some Collection<UInt8> = []
    ) throws(CryptographyError) {
        var parties: [UInt8] = []
        for part in [Array(algorithmID), Array(partyUInfo), Array(partyVInfo)] {
            guard let count = UInt16(exactly: part.count) else {
                throw CryptographyError(
                    .invalidParameter,
                    "A text about an agreement has at most 65,535 bytes, not \(part.count).")
            }
            parties += Self.bigEndian(UInt32(count)) + part
        }
        self.parties = parties
    }

    /// The key that `own` shares with the owner of `other`.
    ///
    /// - Parameters:
    ///   - own: a private key.
    ///   - other: the other party's public key on the same curve.
    ///   - byteCount: the length of the key, 1 to 1,024; its bits are hashed as well.
    /// - Throws: `invalidKey` for keys on two curves; `invalidParameter` for the length;
    ///   `unsupported` if the loaded libcrypto lacks the algorithm.
    public func key(
        of own: ECPrivateKey, with other: ECPublicKey, byteCount: Int = 32
    ) throws(CryptographyError) -> SecretKey {
        guard own.publicKey.curve == other.curve else {
            throw CryptographyError(
                .invalidKey,
                "Keys on \(shown: own.publicKey.curve.rawValue) and on \(shown: other.curve.rawValue) share no secret."
            )
        }
        return try key(byteCount: byteCount) { () throws(OpenSSLFailure) in
            try own.handle.sharedSecret(with: other.handle, by: .ecdh(other.curve.bridged))
        }
    }

    /// The key that `own` shares with the owner of `other`.
    ///
    /// - Parameters:
    ///   - own: a private key.
    ///   - other: the other party's public key.
    ///   - byteCount: the length of the key, 1 to 1,024; its bits are hashed as well.
    /// - Throws: `invalidKey` for a public key of small order, which gives zero for every private
    ///   key (RFC 7748, section 6.1); `invalidParameter` for the length; `unsupported` if the
    ///   loaded libcrypto lacks X25519.
    public func key(
        of own: X25519PrivateKey, with other: X25519PublicKey, byteCount: Int = 32
    ) throws(CryptographyError) -> SecretKey {
        try key(byteCount: byteCount) { () throws(OpenSSLFailure) in
            try own.handle.sharedSecret(with: other.handle, by: .x25519)
        }
    }

    /// The key that comes from a shared secret, for known-answer tests: a vector prints the secret.
    package func key(
        sharedSecret: SecretKey, byteCount: Int
    ) throws(CryptographyError) -> SecretKey {
        try key(byteCount: byteCount) { () throws(OpenSSLFailure) in sharedSecret.storage }
    }

    /// The concatenation KDF alone, for known-answer tests with another OtherInfo.
    package static func key(
        sharedSecret: SecretKey, otherInfo: [UInt8], byteCount: Int
    ) throws(CryptographyError) -> SecretKey {
        try translatingErrors(refused: .libraryFailure) { () throws(OpenSSLFailure) in
            SecretKey(
                storage: try ConcatKDF.derive(
                    sharedSecret.storage, otherInfo: otherInfo.span, byteCount: byteCount))
        }
    }

    private func key(
        byteCount: Int, _ secret: () throws(OpenSSLFailure) -> SecretStorage
    ) throws(CryptographyError) -> SecretKey {
        if let fault = ParameterRange.fault(.init("byteCount", value: byteCount, in: 1...1024)) {
            throw CryptographyError(.invalidParameter, fault)
        }
        let shared = try translatingErrors(
            refused: .invalidKey, message: "The public key shares no secret with the private key.",
            secret)
        // SuppPubInfo, and no SuppPrivInfo.
        let otherInfo = parties + Self.bigEndian(UInt32(byteCount * 8))
        return try Self.key(
            sharedSecret: SecretKey(storage: shared), otherInfo: otherInfo, byteCount: byteCount)
    }

    private static func bigEndian(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
