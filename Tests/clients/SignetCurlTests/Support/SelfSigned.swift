// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A self-signed certificate for localhost and 127.0.0.1 with its key, in files that are removed
/// with their owner.
final class SelfSigned {
    let certificate: URL
    let key: URL
    private let folder: URL

    /// Tests that make one are marked `.needsOpenSSL`.
    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "signet-tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        certificate = folder.appendingPathComponent("certificate.pem")
        key = folder.appendingPathComponent("key.pem")
        let made = try OpenSSLCommand.output([
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
            "-days", "2", "-subj", "/CN=localhost", "-addext",
            "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key.path, "-out",
            certificate.path,
        ])
        _ = try #require(made)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }
}
