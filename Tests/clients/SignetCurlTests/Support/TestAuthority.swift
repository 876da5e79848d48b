// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// An authority of the tests' own, made by the `openssl` command, in a folder that is removed with
/// its owner.
final class TestAuthority {
    /// A certificate and its key, in PEM.
    struct Issued {
        let certificate: URL
        let key: URL
        /// SHA-256 of the SubjectPublicKeyInfo, in base64.
        let pin: String
    }

    let certificate: URL
    private let key: URL
    private let folder: URL

    /// Tests that make one are marked `.needsOpenSSL`.
    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "signet-ca-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        certificate = folder.appendingPathComponent("ca.pem")
        key = folder.appendingPathComponent("ca.key")
        let made = try OpenSSLCommand.output(
            [
                "req", "-x509", "-nodes", "-days", "2", "-subj", "/CN=Signet tests", "-addext",
                "keyUsage=critical,keyCertSign", "-keyout", key.path, "-out", certificate.path,
            ] + Self.newKey)
        _ = try #require(made)
        try write("index", "")
        try write("serial", "01")
        try write(
            "config",
            """
            [ca]
            default_ca=own
            [own]
            database=\(folder.path)/index
            new_certs_dir=\(folder.path)
            serial=\(folder.path)/serial
            default_md=sha256
            unique_subject=no
            policy=any
            [any]
            commonName=supplied

            """)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// A certificate for these names, as in `DNS:localhost,IP:127.0.0.1`.
    func issue(
        _ names: String = "DNS:localhost,IP:127.0.0.1", expired: Bool = false
    ) throws -> Issued {
        let name = UUID().uuidString
        let paths = ["pem", "key", "csr", "ext"].map {
            folder.appendingPathComponent("\(name).\($0)")
        }
        try write("\(name).ext", "subjectAltName=\(names)\nextendedKeyUsage=serverAuth\n")
        _ = try OpenSSLCommand.output(
            [
                "req", "-new", "-nodes", "-subj", "/CN=\(name)", "-keyout", paths[1].path, "-out",
                paths[2].path,
            ] + Self.newKey)
        _ = try OpenSSLCommand.output([
            "ca", "-batch", "-notext", "-config", folder.appendingPathComponent("config").path,
            "-cert", certificate.path, "-keyfile", key.path, "-startdate", "20200101000000Z",
            "-enddate", expired ? "20200201000000Z" : "20491231000000Z", "-extfile", paths[3].path,
            "-in", paths[2].path, "-out", paths[0].path,
        ])
        return Issued(certificate: paths[0], key: paths[1], pin: try Self.pin(paths[1]))
    }

    /// The pin of a new key that has no certificate: a backup.
    func backupPin() throws -> String {
        let path = folder.appendingPathComponent(UUID().uuidString)
        _ = try OpenSSLCommand.output(
            [
                "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out",
                path.path,
            ])
        return try Self.pin(path)
    }

    private static let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]

    private static func pin(_ key: URL) throws -> String {
        let der = try OpenSSLCommand.output([
            "pkey", "-in", key.path, "-pubout", "-outform", "DER",
        ])
        let digest = try OpenSSLCommand.output(
            ["dgst", "-sha256", "-binary"], input: der ?? [])
        return Data(digest ?? []).base64EncodedString()
    }

    private func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: folder.appendingPathComponent(name))
    }
}
