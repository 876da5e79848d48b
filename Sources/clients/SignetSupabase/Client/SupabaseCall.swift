// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetIdentity
package import SignetJOSE
package import SignetSession
internal import SignetSignIn

/// A request to GoTrue.
package struct SupabaseCall {
    let method: TransportRequest.Method
    /// The path below `/auth/v1`.
    let path: String
    var query: [(name: String, value: String)]
    /// The body's members, sent as JSON without members that are nil.
    var members: [String: JSONValue?]
    var bearer: AccessToken?

    package init(
        method: TransportRequest.Method, path: String,
        query: [(name: String, value: String)] = [], members: [String: JSONValue?] = [:],
        bearer: AccessToken? = nil
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.members = members
        self.bearer = bearer
    }

    /// A grant at `/token`.
    static func grant(_ type: String, members: [String: JSONValue?]) -> SupabaseCall {
        SupabaseCall(
            method: .post, path: "token", query: [("grant_type", type)], members: members)
    }

    /// The end of sessions, of the person whose token this is.
    package static func signOut(_ token: AccessToken, scope: SignOutScope) -> SupabaseCall {
        let name =
            switch scope {
            case .this: "local"
            case .all: "global"
            case .others: "others"
            }
        return SupabaseCall(
            method: .post, path: "logout", query: [("scope", name)], bearer: token)
    }

    /// The answer to a CAPTCHA, which shows the project that a person makes the request.
    static func security(_ captcha: String?) -> JSONValue? {
        captcha.map { ["captcha_token": .string($0)] }
    }

    static func challenge(_ pkce: PKCE) -> [(name: String, value: String)] {
        // GoTrue's spelling of S256.
        [("code_challenge", pkce.challenge), ("code_challenge_method", "s256")]
    }

    func url(below base: EndpointURL) throws(SupabaseError) -> EndpointURL {
        let end = query.isEmpty ? "" : "?" + FormEncoding.encode(query)
        do {
            return try base.appending(path: path + end)
        } catch {
            throw SupabaseError(
                .invalidInput, underlying: error, "The address of the request: \(messageOf: error)")
        }
    }

    func body() throws(SupabaseError) -> TransportRequest.Body? {
        guard !members.isEmpty else { return nil }
        do {
            let json = try JSONTokenEncoder().encode(
                JSONValue.object(members.compactMapValues(\.self)))
            return TransportRequest.Body(json, contentType: "application/json")
        } catch {
            throw SupabaseError(
                .invalidInput, underlying: error,
                "What was given cannot be written as JSON (\(error.code)).")
        }
    }
}
