// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetIdentity
import SignetJOSE

/// The provider of `openid_provider.py`, one for all tests: it ends with this process, whose end closes its standard input.
final class OpenIDProvider: Sendable {
    static let redirectURI = "http://127.0.0.1:49152/callback"
    static let appleTeam = "ABCDE12345"
    /// With everything in them that a form or a Basic field could break.
    static let secrets = ["basic": "s3cr:et &=%25+ é/\"", "post": "p0st:&=%2B+ ü"]

    private struct Configuration: Encodable {
        let redirectURI = OpenIDProvider.redirectURI
        let appleTeam = OpenIDProvider.appleTeam
        let appleKey: [String: String]
        let secrets = OpenIDProvider.secrets
    }

    private struct Ready: Decodable {
        let port: Int
    }

    private static let started = Task { try await OpenIDProvider() }
    static var shared: OpenIDProvider { get async throws { try await started.value } }

    let issuer: String
    /// What Apple's client secrets are signed with.
    let appleKey: SigningKey
    private let process: Process
    private let input: FileHandle

    private init() async throws {
        guard let interpreter = Python.interpreter else { throw Command.Failure(description: Python.absence) }
        appleKey = try SigningKey.generate(.es256, keyID: "APPLEKEY01")
        let published = Data(try appleKey.verificationKey.jwk.publicJSON().utf8)
        let configuration = Configuration(
            appleKey: try JSONDecoder().decode([String: String].self, from: published))
        let folder = try TemporaryFolder()
        let output = try folder.file("output", Data())
        let errors = try folder.file("errors", Data())
        let pipe = Pipe()
        process = Process()
        process.executableURL = URL(fileURLWithPath: interpreter.executable)
        process.arguments = ["-B", "-u", try Python.path(of: "openid_provider")]
        process.standardInput = pipe
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        input = pipe.fileHandleForWriting
        try input.write(contentsOf: JSONEncoder().encode(configuration) + [0x0a])
        // A file and not a pipe: nobody waits on a thread of the pool.
        var line = Data()
        while line.last != 0x0a {
            guard process.isRunning else {
                let said = try FileHandle(forReadingFrom: errors).readToEnd() ?? Data()
                throw Command.Failure(
                    description: "the provider ended: \(String(decoding: said, as: UTF8.self))")
            }
            try await Task.sleep(for: .milliseconds(20))
            line = try FileHandle(forReadingFrom: output).readToEnd() ?? Data()
        }
        issuer = "http://127.0.0.1:\(try JSONDecoder().decode(Ready.self, from: line).port)"
    }
}
