// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation

/// A program that uses swift-crypto.
enum There {
    static func seal(_ message: Data, key: SymmetricKey, row: Data) throws -> Data? {
        try AES.GCM.seal(message, using: key, authenticating: row).combined
    }

    static func open(_ sealed: Data, key: SymmetricKey, row: Data) throws -> Data {
        try AES.GCM.open(AES.GCM.SealedBox(combined: sealed), using: key, authenticating: row)
    }

    static func code(for message: Data, key: SymmetricKey) -> Data {
        Data(HMAC<SHA256>.authenticationCode(for: message, using: key))
    }

    static func isValid(_ code: Data, for message: Data, key: SymmetricKey) -> Bool {
        HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: message, using: key)
    }

    static func derive(from key: SymmetricKey, info: Data) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(inputKeyMaterial: key, info: info, outputByteCount: 32)
    }

    static func digest(of message: Data) -> Data {
        Data(SHA256.hash(data: message))
    }

    static func sign(_ message: Data, key: P256.Signing.PrivateKey) throws -> Data {
        try key.signature(for: message).rawRepresentation
    }

    static func isValid(
        _ signature: Data, for message: Data, key: P256.Signing.PublicKey
    ) throws -> Bool {
        key.isValidSignature(
            try P256.Signing.ECDSASignature(rawRepresentation: signature), for: message)
    }

    static func sign(_ message: Data, key: Curve25519.Signing.PrivateKey) throws -> Data {
        try key.signature(for: message)
    }
}
