// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetIdentity
internal import SignetJOSE

/// Reads the response of a provider's token endpoint, or of another endpoint that answers in its
/// form: strict JSON, `{"access_token": "2YotnFZF", "token_type": "Bearer", "expires_in": 3600}`.
///
/// | Status | Result |
/// |---|---|
/// | 200, 201 | tokens; `refused` if the object has an `error` |
/// | 400 to 499, without 429 | `refused`, with the object's `error` |
/// | 429, 500 to 599 | `unavailable` |
/// | any other, or an unreadable object | `invalidResponse` |
///
/// Tokens, the type of an access token and errors must be correct, or the response is rejected.
/// Lifetime and scopes only inform, and are nil if unreadable: rejecting the response would waste
/// the code, which is already spent.
package struct TokenEndpointAnswer {
    private let response: TransportResponse
    private let name: String
    private let secrets: [String]

    /// - Parameters:
    ///   - name: the endpoint's name in messages.
    ///   - secrets: texts of the request that must not reach a log.
    package init(
        _ response: TransportResponse, from name: String = "token endpoint", secrets: [String]
    ) {
        self.response = response
        self.name = name
        self.secrets = secrets
    }

    /// The tokens of a successful response.
    package func tokens() throws(AuthorizationError) -> TokenEndpointResponse {
        try readTokens(try root())
    }

    /// Checks that a revocation was answered with 200, whose content does not matter (RFC 7009,
    /// section 2.2).
    func checkIsDone() throws(AuthorizationError) {
        if response.status != 200 { _ = try root() }
    }

    /// The content of a successful response of the type `application/jwt`; nil for any other
    /// response.
    var compactToken: [UInt8]? {
        let types = response.values(of: "Content-Type")
        guard isGood, types.count == 1, let type = types.first,
            Self.mediaType(type).elementsEqual("application/jwt".utf8)
        else { return nil }
        return response.body
    }

    /// The JSON object of a successful response.
    func root() throws(AuthorizationError) -> JSONNode {
        let status = response.status
        if status == 429 || (500..<600).contains(status) {
            throw AuthorizationError(
                .unavailable,
                details: .init(
                    refusal: namedRefusal, status: status, retryAfter: response.retryAfter),
                "The \(shown: name) answered with the status \(status).")
        }
        guard isGood || (400..<500).contains(status) else {
            throw invalid("has the status \(status), which RFC 6749 does not define")
        }
        let root = try object()
        // Some providers send errors with status 200, and some send an empty error beside the
        // tokens.
        if let error = root.member("error"), !isGood || !Self.isAbsent(error) {
            guard let refusal = refusal(error, in: root) else {
                throw invalid("has an \"error\" that is not a text")
            }
            throw AuthorizationError(
                .refused, refusal: refusal, "The \(shown: name) refused, with the status \(status)."
            )
        }
        guard isGood else { throw invalid("has the status \(status) and no \"error\"") }
        return root
    }

    /// 201 counts as 200: Harvest and Supabase's OAuth server answer with it, and the code or the
    /// refresh token is spent.
    private var isGood: Bool { response.status == 200 || response.status == 201 }

    private func readTokens(_ root: JSONNode) throws(AuthorizationError) -> TokenEndpointResponse {
        let accessToken = try token("access_token", in: root)
        let idToken = try token("id_token", in: root)
        if accessToken != nil {
            try checkType(root.member("token_type"))
        } else if idToken == nil {
            throw invalid("has neither an \"access_token\" nor an \"id_token\"")
        }
        return TokenEndpointResponse(
            idToken: idToken, accessToken: accessToken,
            // Up to 10 years.
            expiresIn: root.member("expires_in")?.wholeSeconds(in: 0...315_360_000),
            refreshToken: try token("refresh_token", in: root),
            scopes: root.member("scope").flatMap(Self.scopes))
    }

    /// The JSON object of any response.
    private func object() throws(AuthorizationError) -> JSONNode {
        let types = response.values(of: "Content-Type")
        guard types.count == 1, let type = types.first, Self.isJSON(type) else {
            throw invalid(
                "has the status \(response.status) and another \"Content-Type\" than application/json"
            )
        }
        // The transport has limited the body already.
        var limits = JSONDocument.Limits()
        limits.maximumByteCount = max(response.body.count, 1)
        do {
            let root = try JSONDocument(response.body, limits: limits).root
            if root.kind == .object { return root }
        } catch {
            throw invalid("is not strict JSON (\(error.fault))")
        }
        throw invalid("is not a JSON object")
    }

    /// The error that an answer of 429 or 5xx names. Most answers name none, and many are not JSON.
    private var namedRefusal: ProviderRefusal? {
        guard let root = try? object(), let error = root.member("error") else { return nil }
        return refusal(error, in: root)
    }

    /// The error that a response names; nil if it is not a text.
    private func refusal(_ error: JSONNode, in root: JSONNode) -> ProviderRefusal? {
        guard let text = error.text, !text.isEmpty else { return nil }
        return ProviderRefusal(
            error: text, description: root.member("error_description")?.text, secrets: secrets)
    }

    private static func isAbsent(_ member: JSONNode) -> Bool {
        member.isNull || member.text?.isEmpty == true
    }

    /// A token: printable ASCII (RFC 6749, appendix A). `null` and an empty text count as absent.
    private func token(_ name: String, in root: JSONNode) throws(AuthorizationError) -> String? {
        guard let member = root.member(name), !member.isNull else { return nil }
        guard let text = member.text, Self.isPrintable(text) else {
            throw invalid("has a \"\(shown: name)\" that is not a text of printable ASCII")
        }
        return text.isEmpty ? nil : text.swiftString()
    }

    /// Section 5.1: case is ignored. LinkedIn names no type, and means Bearer. A token of any other
    /// type, such as DPoP, is useless without that type's proof.
    private func checkType(_ member: JSONNode?) throws(AuthorizationError) {
        guard let member, !member.isNull else { return }
        guard let type = member.text, type.lowercasedASCII.isEqual(to: "bearer") else {
            throw invalid("has another \"token_type\" than Bearer")
        }
    }

    /// A text, or an array of texts as Twitch writes it, with spaces between scopes (section 3.3).
    private static func scopes(_ member: JSONNode) -> [String]? {
        var scopes = [String]()
        for text in member.kind == .array ? member.elements.map(\.text) : [member.text] {
            guard let text, isPrintable(text) else { return nil }
            scopes += text.utf8.split(separator: 0x20).map { ReceivedText(utf8: $0).swiftString() }
        }
        return scopes
    }

    private static func isPrintable(_ text: ReceivedText) -> Bool {
        text.utf8.allSatisfy { (0x20...0x7e).contains($0) }
    }

    /// `application/json`, `text/json`, or `application/*+json` (RFC 6839, section 3.1), with any
    /// parameters.
    private static func isJSON(_ field: String) -> Bool {
        let type = mediaType(field)
        if type.elementsEqual("application/json".utf8) || type.elementsEqual("text/json".utf8) {
            return true
        }
        let tree = "application/".utf8
        let suffix = "+json".utf8
        let name = type.dropFirst(tree.count).dropLast(suffix.count)
        return !name.isEmpty && name.allSatisfy(isNameCharacter)
            && type.starts(with: tree) && type.suffix(suffix.count).elementsEqual(suffix)
    }

    /// The media type of a field, in lower case and without parameters.
    private static func mediaType(_ field: String) -> [UInt8] {
        field.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != 0x20 && $0 != 0x09 }
            .map(\.lowercased)
    }

    /// A character of a media type's name in lower case (RFC 6838, section 4.2).
    private static func isNameCharacter(_ octet: UInt8) -> Bool {
        (0x61...0x7a).contains(octet) || (0x30...0x39).contains(octet)
            || "!#$&-^_.+".utf8.contains(octet)
    }

    private func invalid(_ what: ErrorMessage) -> AuthorizationError {
        AuthorizationError(.invalidResponse, "The \(shown: name)'s answer \(what).")
    }
}
