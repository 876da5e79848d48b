// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE

/// The receivers of encrypted tokens: every algorithm with every kind of key.
package struct EncryptionFixture: Sendable {
    package static let shared = Result { try EncryptionFixture() }

    private let bySecret: [TokenReceiver]
    private let byAgreement: [TokenReceiver]
    private let byDecryption: [TokenReceiver]

    package var receivers: [TokenReceiver] { bySecret + byAgreement + byDecryption }

    private init() throws {
        let secrets: [(KeyManagementAlgorithm, Int)] = [
            (.direct, 16), (.direct, 24), (.direct, 32), (.direct, 48), (.direct, 64),
            (.a128KW, 16), (.a192KW, 24), (.a256KW, 32),
        ]
        var sharing: [TokenReceiver] = []
        for (algorithm, byteCount) in secrets {
            sharing.append(
                try TokenReceiver(
                    algorithm, material: .octets(Self.secret(byteCount)),
                    keyID: Self.keyID(sharing.count)))
        }
        bySecret = sharing
        var curves: [(material: JWKMaterial, senders: [TokenSender])] = []
        for curve in EllipticCurve.allCases {
            let key = try ECPrivateKey.generate(curve: curve)
            let senders = try (0..<Self.senderCount).map { _ in try TokenSender(curve) }
            curves.append((material: .key(.ecPrivate(key)), senders: senders))
        }
        let key = try X25519PrivateKey.generate()
        let senders = try (0..<Self.senderCount).map { _ in try TokenSender() }
        curves.append((material: .x25519Private(key), senders: senders))
        var agreeing: [TokenReceiver] = []
        for algorithm in KeyManagementAlgorithm.allCases where algorithm.kind == .agreement {
            for curve in curves {
                agreeing.append(
                    try TokenReceiver(
                        algorithm, material: curve.material, keyID: Self.keyID(agreeing.count),
                        senders: curve.senders))
            }
        }
        byAgreement = agreeing
        let rsa = try Self.publishedKey()
        var decrypting: [TokenReceiver] = []
        for algorithm in KeyManagementAlgorithm.allCases where algorithm.kind == .decryption {
            decrypting.append(
                try TokenReceiver(
                    algorithm, material: rsa, keyID: Self.keyID(decrypting.count)))
        }
        byDecryption = decrypting
    }

    /// The receivers that a byte stands for: most often those with a shared key, which costs least.
    func receivers(for byte: UInt8) -> [TokenReceiver] {
        switch byte {
        case 0..<240: bySecret
        case 240..<252: byAgreement
        default: byDecryption
        }
    }

    /// The receiver of a token whose algorithm is not that of the receiver who was chosen.
    func receiver(_ kind: KeyKind) throws -> TokenReceiver {
        let receivers =
            switch kind {
            case .secret: bySecret
            case .agreement: byAgreement
            case .decryption: byDecryption
            }
        return try hold(receivers.first, "there is a receiver of each kind")
    }

    /// Inputs that choose every receiver and content encryption, and change nothing: after four
    /// choices that are not made, the plaintext's length and first byte.
    package var seeds: [[UInt8]] {
        var seeds: [[UInt8]] = []
        for kind: UInt8 in [0, 240, 252] {
            for (number, receiver) in receivers(for: kind).enumerated() {
                for content in receiver.contents.indices {
                    seeds.append([
                        kind, UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: content),
                        0, 0, 0, 0, 33, 65,
                    ])
                }
            }
        }
        return seeds
    }

    /// The key that senders and receivers share. Shorter keys are its first bytes, so that only the
    /// algorithm tells a use from another.
    static func secret(_ byteCount: Int) -> SecretKey {
        SecretKey(copying: (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 3 &+ 1) })
    }

    /// A key of a content, which is sent wrapped.
    static func contentKey(_ byteCount: Int) -> SecretKey {
        SecretKey(copying: (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 5 &+ 2) })
    }

    /// A key that no receiver gets.
    static func foreignKey(_ byteCount: Int) -> SecretKey {
        SecretKey(copying: [UInt8](repeating: 9, count: byteCount))
    }

    /// `contentKey(32)`, encrypted to the published key by RSA-OAEP with SHA-1, which Signet does
    /// not encrypt with. Made with Python's `cryptography`.
    static let encryptedWithSHA1 = """
        Vi83KBLjSsG1KqSDzEFXuNMNKabrujN8vewJTe5xYnbVNYH5jSitM_kvdigfpyaXriGXUq7FdnOKRTVCOJYX\
        Ur84x_IVvOrPifcLBzy3FVGEGzSsl7qjE8I5AOjpQpceFUWo5WOwl28gCHi7xW2FO2qlHkPfgc4ydK9A7mRI\
        IHZIaYw8IDaLD2ZILHTOJkWH9yM9ES6MPNLmzHxWvs1E79JDTAemTBMaKrnaqcRZtkcNEo8E7mFBL1yIitk1\
        Ii1nwVkbDTZrQGfRih6YXB_7O_fSgliSJt0ip9eJrtyxs7-4b4Xvilnr5W5hUZkK5N6nOqVCsNPe14KrdRSS\
        CLtv9Q
        """

    /// Enough for coordinates of many kinds, and few enough to be made at each start.
    private static let senderCount = 16

    /// Each second key has a name.
    private static func keyID(_ number: Int) -> String? { number.isMultiple(of: 2) ? nil : "k1" }

    /// The private key of RFC 7517, appendix A.2.
    private static func publishedKey() throws -> JWKMaterial {
        let keys = try SeedKeys.texts().compactMap { try? JWK($0) }
        let found = keys.first { key in
            key.isPrivate && key.keyID.map { $0.utf8.elementsEqual("2011-04-29".utf8) } == true
        }
        return try hold(found, "the key is among the published figures").material
    }
}
