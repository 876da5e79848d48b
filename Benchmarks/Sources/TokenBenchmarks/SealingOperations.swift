// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import SignetCrypto
import SignetJOSE
import TokenFixtures

/// Authenticated encryption beside swift-crypto (BoringSSL) and libcrypto with kept contexts and
/// buffers. Each message has a random nonce, drawn for it alone.
struct SealingOperations {
    private let key: [UInt8]
    private let secret: SecretKey

    init() throws {
        key = try SecureRandom.bytes(count: 32)
        secret = SecretKey(copying: key)
    }

    func gcm(_ byteCount: Int) throws -> [Operation] {
        let secret = secret
        let peer = Crypto.SymmetricKey(data: key)
        let raw = try RawCipher(key: key, largest: byteCount)
        let plain = try SecureRandom.bytes(count: byteCount)
        let plainData = Data(plain)
        let sealed = try AESGCM.seal(plain, using: secret)
        let sealedData = Data(sealed)
        guard try AES.GCM.open(AES.GCM.SealedBox(combined: sealed), using: peer) == plainData else {
            throw BenchmarkError.differentClaims("AES-256-GCM")
        }
        return [
            Operation(
                identifier: "aes256gcm.seal.\(byteCount)",
                title: "AES-256-GCM seal, \(size(byteCount))",
                contenders: [
                    .calling(.signet) { try AESGCM.seal(plain, using: secret) },
                    .calling(.swiftCrypto) { try AES.GCM.seal(plainData, using: peer).combined },
                    .checking(.libcrypto) { raw.sealGCM(plain) },
                ]),
            Operation(
                identifier: "aes256gcm.open.\(byteCount)",
                title: "AES-256-GCM open, \(size(byteCount))",
                contenders: [
                    .calling(.signet) { try AESGCM.open(sealed, using: secret) },
                    .calling(.swiftCrypto) {
                        try AES.GCM.open(AES.GCM.SealedBox(combined: sealedData), using: peer)
                    },
                    .checking(.libcrypto) { raw.openGCM(sealed) },
                ]),
        ]
    }

    /// Opens an encrypted token (`dir`, A256GCM). The floor splits, decodes, compares the header and
    /// opens.
    func openToken(_ byteCount: Int) throws -> Operation {
        let own = try DecryptionKey(secret: secret, algorithm: .direct, keyID: Expected.keyID)
        let decrypter = JWEDecrypter(key: own)
        let raw = try RawCipher(key: key, largest: 2 * byteCount + 1024)
        let token = try JWEEncrypter(to: own.encryptionKey(), content: .a256GCM)
            .encrypt(SecureRandom.bytes(count: byteCount))
        let text = Array(token.utf8CString)
        let header = Array(String(token.prefix(while: { $0 != "." })).utf8CString)
        guard raw.openToken(text, header: header) else {
            throw BenchmarkError.differentClaims("JWE")
        }
        return Operation(
            identifier: "jwe.open.dir.\(byteCount)",
            title: "JWE open, dir, A256GCM, \(size(byteCount))",
            contenders: [
                .calling(.signet) { try decrypter.decrypt(token).payload },
                .checking(.libcrypto) { raw.openToken(text, header: header) },
            ])
    }

    /// swift-crypto has no XAES.
    func xaes(_ byteCount: Int) throws -> [Operation] {
        let secret = secret
        let raw = try RawCipher(key: key, largest: byteCount)
        let plain = try SecureRandom.bytes(count: byteCount)
        let sealed = try XAES256GCM.seal(plain, using: secret)
        guard raw.openXAES(sealed) else { throw BenchmarkError.differentClaims("XAES-256-GCM") }
        return [
            Operation(
                identifier: "xaes256gcm.seal.\(byteCount)",
                title: "XAES-256-GCM seal, \(size(byteCount))",
                contenders: [
                    .calling(.signet) { try XAES256GCM.seal(plain, using: secret) },
                    .checking(.libcrypto) { raw.sealXAES(plain) },
                ]),
            Operation(
                identifier: "xaes256gcm.open.\(byteCount)",
                title: "XAES-256-GCM open, \(size(byteCount))",
                contenders: [
                    .calling(.signet) { try XAES256GCM.open(sealed, using: secret) },
                    .checking(.libcrypto) { raw.openXAES(sealed) },
                ]),
        ]
    }

    private func size(_ byteCount: Int) -> String {
        switch byteCount {
        case ..<1024: "\(byteCount) B"
        case ..<(1 << 20): "\(byteCount / 1024) KiB"
        default: "\(byteCount >> 20) MiB"
        }
    }
}
