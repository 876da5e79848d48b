// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// Reads the answer of a token endpoint: strict JSON, and nothing is guessed.
package struct TokenEndpointAnswer {
    private let response: TransportResponse
    private let secrets: [String]

    /// - Parameter secrets: what the request held, and what must not come back in a log.
    package init(_ response: TransportResponse, secrets: [String]) {
        self.response = response
        self.secrets = secrets
    }

    package func tokens() throws(AuthorizationError) -> TokenEndpointResponse {
        let status = response.status
        switch status {
        case 200,
            400..<500 where status != 429:
            break
        case 429, 500..<600:
            throw AuthorizationError(.unavailable, "The token endpoint answered with the status \(status).")
        default:
            throw Self.invalid("has the status \(status), which is none of RFC 6749")
        }
        let root = try object()
        // Some providers answer errors with the status 200.
        if let error = root.member("error"), status != 200 || !error.isNull {
            throw refusal(error, root)
        }
        guard status == 200 else { throw Self.invalid("has the status \(status) and no \"error\"") }
        return try tokens(root)
    }

    private func tokens(_ root: JSONNode) throws(AuthorizationError) -> TokenEndpointResponse {
        guard let accessToken = try text("access_token", root) else {
            throw Self.invalid("has no \"access_token\"")
        }
        guard let type = try text("token_type", root) else { throw Self.invalid("has no \"token_type\"") }
        // Section 5.1: compared without case.
        guard type.utf8.count == 6, zip(type.utf8, "bearer".utf8).allSatisfy({ $0 | 0x20 == $1 }) else {
            throw Self.invalid("has another \"token_type\" than Bearer")
        }
        return TokenEndpointResponse(
            idToken: try text("id_token", root), accessToken: accessToken, expiresIn: try lifetime(root),
            refreshToken: try text("refresh_token", root), scopes: try scopes(root))
    }

    private func object() throws(AuthorizationError) -> JSONNode {
        let types = response.values(of: "Content-Type")
        guard types.count == 1, let type = types.first, Self.isJSON(type) else {
            throw Self.invalid(
                "has the status \(response.status) and another \"Content-Type\" than application/json")
        }
        var limits = JSONDocument.Limits()
        limits.maximumByteCount = max(response.body.count, 1)
        do throws(JSONError) {
            let root = try JSONDocument(response.body, limits: limits).root
            if root.kind == .object { return root }
        } catch {
            throw Self.invalid("is not strict JSON (\(error.code.rawValue))")
        }
        throw Self.invalid("is not a JSON object")
    }

    private func refusal(_ error: JSONNode, _ root: JSONNode) -> AuthorizationError {
        guard let name = error.text, !name.isEmpty else {
            return Self.invalid("has an \"error\" that is not a text")
        }
        let refusal = ProviderRefusal(
            error: name, description: root.member("error_description")?.text, secrets: secrets)
        return AuthorizationError(
            .refused, refusal: refusal,
            "The token endpoint refused, with the status \(response.status).")
    }

    /// A member that is printable ASCII (RFC 6749, appendix A), or absent. `null` counts as absent: many providers write it.
    private func text(_ name: String, _ root: JSONNode) throws(AuthorizationError) -> String? {
        guard let member = root.member(name), !member.isNull else { return nil }
        guard let text = member.text, !text.isEmpty, Self.isPrintable(text) else { throw Self.noText(name) }
        return text.swiftString()
    }

    private func lifetime(_ root: JSONNode) throws(AuthorizationError) -> Int? {
        guard let member = root.member("expires_in"), !member.isNull else { return nil }
        guard let seconds = member.int64Value, (0...315_360_000).contains(seconds) else {
            throw Self.invalid("has an \"expires_in\" that is not a number of seconds up to 10 years")
        }
        return Int(seconds)
    }

    private func scopes(_ root: JSONNode) throws(AuthorizationError) -> [String]? {
        guard let member = root.member("scope"), !member.isNull else { return nil }
        guard let text = member.text, Self.isPrintable(text) else { throw Self.noText("scope") }
        return text.utf8.split(separator: 0x20).map { ReceivedText(utf8: $0).swiftString() }
    }

    private static func isPrintable(_ text: ReceivedText) -> Bool {
        text.utf8.allSatisfy { (0x20...0x7e).contains($0) }
    }

    private static func noText(_ name: String) -> AuthorizationError {
        invalid("has a \"\(name)\" that is not a text of printable ASCII")
    }

    private static func isJSON(_ value: String) -> Bool {
        let type = value.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != 0x20 }.map(EndpointHost.lower)
        return type == Array("application/json".utf8)
    }

    private static func invalid(_ what: String) -> AuthorizationError {
        AuthorizationError(.invalidResponse, "The token endpoint's answer \(what).")
    }
}
