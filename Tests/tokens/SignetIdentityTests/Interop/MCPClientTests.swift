// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetIdentity
import SignetJOSE
import TestSupport
import Testing

/// A server answers with what ``ProtectedResource`` makes, byte for byte, and the client of the MCP
/// SDK for Python does what it would for any MCP server: it finds the authorization server, a real
/// one, and signs in there.
@Suite(
    "A protected resource as the MCP SDK's client sees it", .tags(.interop),
    .enabled(if: Python.isAvailable && KeyServer.isAvailable, "\(Python.absence)"),
    .timeLimit(.minutes(20)))
struct MCPClientTests {
    private struct Question: Encodable {
        let server: String
        let clientID = "public"
        let redirectURI = OpenIDProvider.redirectURI
        var tokenScope: String?
    }

    private struct Answer: Decodable {
        struct Request: Decodable, Equatable {
            let method: String
            let address: String
            let status: Int

            init(_ method: String, _ address: String, _ status: Int) {
                (self.method, self.address, self.status) = (method, address, status)
            }

            init(from decoder: any Decoder) throws {
                var values = try decoder.unkeyedContainer()
                method = try values.decode(String.self)
                address = try values.decode(String.self)
                status = try values.decode(Int.self)
            }
        }

        let requests: [Request]
        let authorization: [String: String]
        let token: String
        let status: Int
    }

    /// A server with one path of its own, and what it says about itself.
    private struct Server {
        let server: KeyServer
        let resource: ProtectedResource
        var metadataAddress: String { server.url(resource.metadataPath) }

        init(_ path: String, issuer: String, answering refusal: HTTPRefusal) async throws {
            server = try await KeyServer()
            resource = try ProtectedResource(
                EndpointURL(server.url(path)), authorizationServers: [issuer],
                scopes: ["read", "write"],
                name: "A \"server\"")
            let metadata = resource.metadata
            try await server.set(
                resource.metadataPath,
                Behaviour(metadata) { $0.fields = [["Content-Type", "application/json"]] })
            let challenge = try #require(resource.challenge(of: refusal))
            try await server.set(
                path,
                Behaviour {
                    $0.status = refusal.status
                    $0.fields = [["WWW-Authenticate", challenge]]
                })
        }

        func ask(tokenScope: String? = nil) async throws -> Answer {
            let question = Question(server: resource.identifier.text, tokenScope: tokenScope)
            return try await Task.detached {
                try Python.ask("mcp_client", question, as: Answer.self)
            }.value
        }
    }

    @Test(
        "Without a token the client finds the metadata and the authorization server",
        arguments: ["/", "/v1/mcp"])
    func discovery(_ path: String) async throws {
        let issuer = try await OpenIDProvider.shared.issuer
        let server = try await Server(path, issuer: issuer, answering: .authenticate)
        let answer = try await server.ask()
        // The last answer is the first one again: this server has only one.
        let own = Answer.Request("GET", server.resource.identifier.text, 401)
        #expect(
            answer.requests == [
                own, Answer.Request("GET", server.metadataAddress, 200),
                Answer.Request("GET", issuer + "/.well-known/oauth-authorization-server", 404),
                Answer.Request("GET", issuer + "/.well-known/openid-configuration", 200),
                Answer.Request("POST", issuer + "/token", 200), own,
            ])
        #expect(answer.authorization["scope"] == "read write")
        #expect(answer.authorization["resource"] == server.resource.identifier.text)
        let presented = try await server.server.facts(path).last?.values(of: "authorization")
        #expect(presented == ["Bearer \(answer.token)"])
    }

    @Test("With a token that lacks a scope the client asks for the scope")
    func insufficientScope() async throws {
        let issuer = try await OpenIDProvider.shared.issuer
        let server = try await Server(
            "/mcp", issuer: issuer, answering: .insufficientScope(["write"]))
        let answer = try await server.ask(tokenScope: "read")
        #expect(
            answer.requests.first == Answer.Request("GET", server.resource.identifier.text, 403))
        #expect(
            answer.requests.dropFirst().first == Answer.Request("GET", server.metadataAddress, 200))
        #expect(answer.authorization["scope"] == "read write")
        #expect(answer.authorization["resource"] == server.resource.identifier.text)
        #expect(answer.token != "of-an-earlier-sign-in" && answer.status == 403)
    }
}
