// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto

/// The same program with Signet.
enum Here {
    static func seal(_ message: [UInt8], key: SecretKey, row: [UInt8]) throws -> [UInt8] {
        try AESGCM.seal(message, using: key, authenticating: row)
    }

    static func open(_ sealed: [UInt8], key: SecretKey, row: [UInt8]) throws -> [UInt8] {
        try AESGCM.open(sealed, using: key, authenticating: row)
    }

    static func code(for message: [UInt8], key: SecretKey) throws -> [UInt8] {
        try MACKey(key, hash: .sha256).authenticationCode(for: message)
    }

    static func isValid(_ code: [UInt8], for message: [UInt8], key: SecretKey) throws -> Bool {
        try MACKey(key, hash: .sha256).isValid(code, for: message)
    }

    static func derive(from key: SecretKey, info: [UInt8]) throws -> SecretKey {
        try KeyDerivation.hkdf(key, info: info, byteCount: 32)
    }

    static func digest(of message: [UInt8]) throws -> [UInt8] {
        try MessageDigest.digest(message, using: .sha256)
    }

    static func sign(_ message: [UInt8], key: ECPrivateKey) throws -> [UInt8] {
        try key.signature(for: message, hash: .sha256)
    }

    static func isValid(
        _ signature: [UInt8], for message: [UInt8], key: ECPublicKey
    ) throws -> Bool {
        try key.isValidSignature(signature, for: message, hash: .sha256)
    }

    static func sign(_ message: [UInt8], key: Ed25519PrivateKey) throws -> [UInt8] {
        try key.signature(for: message)
    }
}
