// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import SignetJOSE
import Testing

@Suite("Metadata of a protected resource (RFC 9728)")
struct ProtectedResourceTests {
    @Test(
        "The metadata has its place, which challenges name",
        arguments: [
            ("https://api.example", "", "https://api.example"),
            ("https://api.example/", "", "https://api.example"),
            ("https://api.example/v1/mcp", "/v1/mcp", "https://api.example"),
            ("https://api.example:8443/mcp/", "/mcp/", "https://api.example:8443"),
            ("http://127.0.0.1:8000/mcp", "/mcp", "http://127.0.0.1:8000"),
        ])
    func places(_ identifier: String, _ path: String, _ origin: String) throws {
        let resource = try ProtectedResource(
            EndpointURL(identifier), authorizationServers: ["https://idp.example"])
        #expect(resource.metadataPath == "/.well-known/oauth-protected-resource" + path)
        let address = "resource_metadata=\"\(origin)\(resource.metadataPath)\""
        #expect(resource.challenge(of: .authenticate) == "Bearer \(address)")
        #expect(
            resource.challenge(of: .invalidToken) == "Bearer error=\"invalid_token\", \(address)")
        #expect(
            resource.challenge(of: .insufficientScope(["read"]))
                == "Bearer error=\"insufficient_scope\", scope=\"read\", \(address)")
        #expect(resource.challenge(of: .unavailable) == nil)
    }

    @Test("The document has the resource's members")
    func document() throws {
        let resource = try ProtectedResource(
            EndpointURL("https://api.example/v1"),
            authorizationServers: ["https://idp.example", "https://login.example/"],
            scopes: ["read", "write"], name: "An \"API\"\n")
        let members = try StrictJSON.decode(JSONValue.self, from: resource.metadata.utf8)
        #expect(
            members
                == [
                    "resource": "https://api.example/v1",
                    "authorization_servers": ["https://idp.example", "https://login.example/"],
                    "bearer_methods_supported": ["header"], "scopes_supported": ["read", "write"],
                    "resource_name": "An \"API\"\n",
                ])
    }

    @Test("Malformed values are rejected")
    func refused() throws {
        func code(_ identifier: String, _ servers: [String], _ scopes: [String] = []) -> Bool {
            do throws(IdentityConfigurationError) {
                _ = try ProtectedResource(
                    EndpointURL(identifier), authorizationServers: servers, scopes: scopes)
                return false
            } catch {
                return true
            }
        }
        #expect(!code("https://api.example", ["https://idp.example"], ["read"]))
        #expect(code("https://api.example?x=1", ["https://idp.example"]))
        #expect(code("https://api.example", []))
        #expect(code("https://api.example", ["idp.example"]))
        for scope in ["", "a b", "a\"b", "é", "a\\b"] {
            #expect(code("https://api.example", ["https://idp.example"], [scope]), "\(scope)")
        }
    }
}
