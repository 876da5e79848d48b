// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
package import SignetJOSE

/// Who an encrypted token is for: a key that is bound to one algorithm.
package struct TokenReceiver: Sendable {
    package let algorithm: KeyManagementAlgorithm
    /// The private key or the secret, as a JWK of one line.
    package let jwk: String
    let material: JWKMaterial
    let keyID: String?
    /// The content encryptions that fit the key.
    let contents: [ContentEncryptionAlgorithm]
    /// The key pairs of those who send, on the same curve; none where they need none.
    let senders: [TokenSender]
    /// What is accepted: all of `contents`, then each alone.
    let accepted: [Set<ContentEncryptionAlgorithm>]
    /// Decrypt what is accepted.
    let decrypters: [JWEDecrypter]

    init(
        _ algorithm: KeyManagementAlgorithm, material: JWKMaterial, keyID: String?,
        senders: [TokenSender] = []
    ) throws {
        self.algorithm = algorithm
        self.material = material
        self.keyID = keyID
        self.senders = senders
        let key = JWK(material: material, keyID: keyID)
        jwk = String(decoding: copied(try key.exportPrivateJSON()), as: UTF8.self)
        var contents = ContentEncryptionAlgorithm.allCases
        if algorithm == .direct, case .octets(let secret) = material {
            contents = contents.filter { $0.keyByteCount == secret.byteCount }
        }
        self.contents = contents
        let accepted = [Set(contents)] + contents.map { Set([$0]) }
        self.accepted = accepted
        decrypters = try accepted.map { content in
            JWEDecrypter(
                key: try DecryptionKey(jwk: key, algorithm: algorithm, content: content))
        }
    }
}
