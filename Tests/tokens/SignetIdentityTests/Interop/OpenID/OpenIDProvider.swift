// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetCurl
import SignetIdentity
import SignetJOSE
import TestSupport
import Testing

/// The provider of `openid_provider.py`. It ends with its owner, the shared one with this process.
final class OpenIDProvider: Sendable {
    static let redirectURI = "http://127.0.0.1:49152/callback"
    static let appleTeam = "ABCDE12345"
    /// They contain everything that could break a form or a Basic field.
    static let secrets = ["basic": "s3cr:et &=%25+ é/\"", "post": "p0st:&=%2B+ ü"]

    private struct Configuration: Encodable {
        let redirectURI = OpenIDProvider.redirectURI
        let appleTeam = OpenIDProvider.appleTeam
        let appleKey: [String: String]
        let clientKeys: [String: [[String: String]]]
        let secrets = OpenIDProvider.secrets
        let port: Int
        let generation: Int
    }

    private struct Ready: Decodable {
        let port: Int
    }

    private struct Command: Encodable {
        let `do`: String
        var path: String?
        var key: [String: String]?
    }

    private struct Done: Decodable { var token: String? }

    private static let started = Task { try await OpenIDProvider() }
    /// The one shared by the tests that do not change it.
    static var shared: OpenIDProvider { get async throws { try await started.value } }

    let port: Int
    var issuer: String { "http://127.0.0.1:\(port)" }
    /// What Apple's client secrets are signed with.
    let appleKey: SigningKey
    /// What the client "key" signs with.
    let clientKey: SigningKey
    private let program: ServingProgram

    /// - Parameters:
    ///   - port: 0 for a free one.
    ///   - generation: in the names of its keys.
    init(port: Int = 0, generation: Int = 1) async throws {
        guard let interpreter = Python.interpreter else {
            throw ServingProgram.Failure(description: Python.absence)
        }
        appleKey = try SigningKey.generate(.es256, keyID: "APPLEKEY01")
        let published = Data(try appleKey.verificationKey.jwk.publicJSON().utf8)
        clientKey = try SigningKey.generate(.es256, keyID: "client-1")
        let members = Data(try clientKey.verificationKey.jwk.publicJSON().utf8)
        program = try ServingProgram(
            interpreter.executable, ["-B", "-u", try Python.path(of: "openid_provider")])
        let configuration = Configuration(
            appleKey: try JSONDecoder().decode([String: String].self, from: published),
            clientKeys: ["keys": [try JSONDecoder().decode([String: String].self, from: members)]],
            port: port,
            generation: generation)
        self.port = try await program.tell(configuration, as: Ready.self).port
    }

    /// Signs with new keys, and publishes only those.
    func rotateKeys() async throws { try await tell(Command(do: "rotate")) }

    /// Publishes its keys at another path, as its metadata then say.
    ///
    /// - Parameter leavingCopy: the old address goes on to publish the keys of this moment; else it
    ///   answers 404.
    func moveKeys(to path: String, leavingCopy: Bool) async throws {
        try await tell(Command(do: leavingCopy ? "copy" : "move", path: path))
    }

    /// The person on the other device answers.
    func answer(_ userCode: String, approving: Bool) async throws {
        try await tell(Command(do: approving ? "approve" : "deny", path: userCode))
    }

    /// A logout token for a client.
    func logoutToken(for client: String) async throws -> String {
        let done = try await program.tell(Command(do: "logout", path: client), as: Done.self)
        return try #require(done.token)
    }

    /// How userinfo answers from now on: "plain", "signed", "encrypted", or as "other", another
    /// person's.
    ///
    /// - Parameter key: the public JWK that an encrypted answer is for.
    func answerUserInfo(_ form: String, encryptedTo key: String? = nil) async throws {
        let members = try key.map {
            try JSONDecoder().decode([String: String].self, from: Data($0.utf8))
        }
        try await tell(Command(do: "userinfo", path: form, key: members))
    }

    /// Stops it: connections to its port are refused.
    func stop() { program.stop() }

    /// Suspends it meanwhile: connections are accepted and never answered.
    func whileStopped<Value>(_ body: () async throws -> Value) async throws -> Value {
        try await program.whileStopped(body)
    }

    /// What a browser does with an address: it asks, and is redirected.
    static func visit(_ address: String) async throws -> String {
        let answer = try await CurlTransport.curl.exchange(
            TransportRequest(
                url: EndpointURL(address), accept: "text/html", timeout: SignInSteps.timeout))
        #expect(answer.status == 302)
        return try #require(answer.values(of: "Location").first)
    }

    private func tell(_ command: Command) async throws {
        _ = try await program.tell(command, as: Done.self)
    }
}
