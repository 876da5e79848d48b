// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import OpenSSLBridge
import SignetCrypto
import TestSupport

/// An RSA key of the `openssl` command and signatures that it makes, with parameters that Signet does not have.
enum RSAFixture {
    private static let pem = Result { () throws -> [UInt8]? in
        try OpenSSLCommand.output([
            "genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048",
        ])
    }

    /// A key pair from PrivateKeyInfo.
    static func privateKey(_ der: [UInt8]) throws -> RSAPrivateKey {
        try RSAPrivateKey(handle: KeyHandle.decode(der.span, as: KeyHandle.PrivateStructure.pkcs8))
    }

    static func sign(_ options: [String], _ message: [UInt8]) throws
        -> (key: RSAPublicKey, signature: [UInt8])?
    {
        let digest = try MessageDigest.digest(message, using: .sha256)
        return try run(
            ["-pkeyopt", "digest:sha256"] + options.flatMap { ["-pkeyopt", $0] }, digest)
    }

    /// PKCS #1 v1.5 padding around the bare bytes.
    static func signRaw(_ bytes: [UInt8]) throws -> [UInt8]? { try run([], bytes)?.signature }

    private static func run(_ options: [String], _ input: [UInt8]) throws
        -> (key: RSAPublicKey, signature: [UInt8])?
    {
        guard let pem = try pem.get(), let der = try OpenSSLCommand.privateKeyInfo(ofPEM: pem)
        else {
            return nil
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "signet-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("key.pem")
        try Data(pem).write(to: file)
        guard
            let signature = try OpenSSLCommand.output(
                ["pkeyutl", "-sign", "-inkey", file.path] + options, input: input)
        else { return nil }
        return (try privateKey(der).publicKey, signature)
    }
}
