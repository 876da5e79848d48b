// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetCrypto
import SignetJOSE
import TestSupport

/// Debian's OpenID provider, with the browser of its one user, Alice: see `glewlwyd.py`. It ends with
/// its owner.
final class Glewlwyd: Sendable {
    /// What `Scripts/glewlwyd.sh` has unpacked; relative to the package, which is where swift test
    /// runs.
    private static let root = FileManager.default.currentDirectoryPath + "/.cache/glewlwyd/root"
    static var isAvailable: Bool {
        KeyServer.isAvailable
            && FileManager.default.isExecutableFile(atPath: root + "/usr/bin/glewlwyd")
    }

    /// What `Scripts/glewlwyd.sh` has unpacked; relative to the package, where swift test runs.
    static let absence =
        "glewlwyd is not here: Scripts/glewlwyd.sh unpacks it where apt-get and Python 3 are"

    /// Clients and their secrets. It takes Basic credentials literally, not form-encoded as RFC
    /// 6749, section 2.3.1, requires: only a secret in a form can hold any character.
    static let secrets = [
        "basic": "plain-secret_1.0", "post": "p0st:&=%2B+ ü", "other": "another",
        "agreeing": "agreed", "wrapping": "wrapped",
    ]

    /// How a client's ID tokens are encrypted, and its userinfo that is a token.
    struct Encryption: Sendable {
        let content: ContentEncryptionAlgorithm
        let keys: DecryptionKeySet

        init(_ algorithm: KeyManagementAlgorithm, _ content: ContentEncryptionAlgorithm) throws {
            self.content = content
            keys = try DecryptionKeySet(current: .generate(algorithm))
        }
    }

    private struct Registration: Encodable {
        let jwks: String
        let alg: String
        let enc: String

        init(_ encryption: Encryption) throws {
            jwks = try encryption.keys.jwksJSON()
            alg = encryption.keys.current.algorithm.name
            enc = encryption.content.name
        }
    }

    private struct Configuration: Encodable {
        let root = Glewlwyd.root
        let folder: String
        let redirectURI = OpenIDProvider.redirectURI
        let password = "Alice's & \"own\" passwörd"
        let clients = Glewlwyd.secrets
        let encryption: [String: Registration]
        let keys: [String: [String]]
    }

    private struct Ready: Decodable {
        let issuers: [String: String]
    }

    private struct Visit: Encodable {
        let visit: String
    }

    private struct Visited: Decodable {
        let status: Int
        let location: String?
    }

    /// By what it signs with: `rs256`, `es256`.
    let issuers: [String: String]
    /// By client.
    let encryptions: [String: Encryption]
    private let program: ServingProgram
    private let folder: TemporaryFolder

    init() async throws {
        guard let python = KeyServer.python, Self.isAvailable else {
            throw ServingProgram.Failure(description: Self.absence)
        }
        folder = try TemporaryFolder()
        program = try ServingProgram(python, ["-B", "-u", try Python.path(of: "glewlwyd")])
        let keys = ["rs256": try Self.pair(.rs256), "es256": try Self.pair(.es256)]
        encryptions = [
            "agreeing": try Encryption(.ecdhESA256KW, .a256GCM),
            "wrapping": try Encryption(.rsaOAEP256, .a128GCM),
        ]
        let configuration = Configuration(
            folder: folder.url.path, encryption: try encryptions.mapValues(Registration.init),
            keys: keys)
        issuers = try await program.tell(configuration, as: Ready.self).issuers
    }

    /// Where Alice's browser is sent in the end, after the login page, her password and her consent.
    func visit(_ address: String) async throws -> String {
        let visited = try await program.tell(Visit(visit: address), as: Visited.self)
        guard visited.status == 302, let location = visited.location else {
            throw ServingProgram.Failure(
                description: "the browser was sent nowhere: \(visited.status)")
        }
        return location
    }

    private static func pair(_ algorithm: SignatureAlgorithm) throws -> [String] {
        let key = try SigningKey.generate(algorithm)
        return [
            try key.exportPrivatePEM().withExposedBytes { bytes in
                String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
            },
            try key.verificationKey.jwk.publicPEM(),
        ]
    }
}
