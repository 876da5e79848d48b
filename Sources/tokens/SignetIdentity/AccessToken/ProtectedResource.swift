// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE

/// A server's metadata for clients that have no token yet (RFC 9728): who issues tokens for it, and
/// for which scopes. Clients of MCP servers read it first.
///
/// ```swift
/// let resource = try ProtectedResource(
///     EndpointURL("https://api.example/v1"), authorizationServers: ["https://idp.example"])
/// print("GET", resource.metadataPath, "answers", resource.metadata)
/// ```
public struct ProtectedResource: Sendable {
    /// The resource's identifier. Clients send it as `resource` (RFC 8707), and the issuer writes
    /// it into `aud`.
    public let identifier: EndpointURL
    /// The document as JSON. It is public: serve it to anyone.
    public let metadata: String
    /// The path that serves it: `/.well-known/oauth-protected-resource` and the path of the
    /// identifier (section 3.1).
    public let metadataPath: String
    private let address: String

    /// - Parameters:
    ///   - identifier: the server's address, with its final slash, if any, and without a query.
    ///   - authorizationServers: the issuers exactly as in `iss`; at least one.
    ///   - scopes: the scopes that requests may need.
    ///   - name: a name to show to people.
    /// - Throws: `invalidURL`; `invalidIdentifier` for a missing issuer or a malformed scope.
    public init(
        _ identifier: EndpointURL, authorizationServers: [String], scopes: [String] = [],
        name: String? = nil
    ) throws(IdentityConfigurationError) {
        guard identifier.query == nil else {
            throw Identifier.invalid("A resource's identifier has no query here.")
        }
        guard !authorizationServers.isEmpty else {
            throw Identifier.invalid("The list of authorization servers is empty.")
        }
        for server in authorizationServers { _ = try EndpointURL(server) }
        try Identifier.checkScopes(scopes)
        self.identifier = identifier
        // A single slash is the root, like an empty path.
        let path = identifier.path.utf8.count > 1 ? identifier.path : ""
        metadataPath = "/.well-known/oauth-protected-resource" + path
        let origin = identifier.text.utf8.dropLast(identifier.path.utf8.count)
        address = String(decoding: origin, as: UTF8.self) + metadataPath
        var members: [String: JSONValue] = [
            "resource": .string(identifier.text),
            "authorization_servers": .array(authorizationServers.map { .string($0) }),
            "bearer_methods_supported": ["header"],
        ]
        if !scopes.isEmpty { members["scopes_supported"] = .array(scopes.map { .string($0) }) }
        if let name { members["resource_name"] = .string(name) }
        do throws(JSONError) {
            metadata = String(
                decoding: try JSONTokenEncoder().encode(JSONValue.object(members)), as: UTF8.self)
        } catch {
            throw Identifier.invalid("The resource's name is too long.")
        }
    }

    /// The value of `WWW-Authenticate` for a refusal, with the address of the metadata (section
    /// 5.1); nil if the refusal has none.
    public func challenge(of refusal: HTTPRefusal) -> String? {
        refusal.challenge.map { challenge in
            // A blank precedes the first parameter, a comma each further parameter.
            let separator = challenge.utf8.contains(0x20) ? ", " : " "
            return challenge + separator + "resource_metadata=\"\(address)\""
        }
    }
}
