// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetIdentity
internal import SignetJOSE
public import SignetSignIn

/// A pending sign-in by browser or e-mail, good for one callback. Printing shows nothing of it.
///
/// GoTrue does not return a client's `state`. For a loopback address, a state travels in the
/// redirect's query and is compared. Any other redirect comes back exactly as allowed, and only
/// PKCE's verifier binds the code: the server rejects a code from another sign-in.
public struct SupabaseSignIn: Sendable, Redacted {
    /// The longest callback, in bytes.
    public static let maximumByteCount = AuthorizationCallback.maximumByteCount

    /// The address that the browser returns to.
    public let redirectURI: String
    let pkce: PKCE
    private let state: AuthorizationState?

    /// - Throws: `invalidInput` for a redirect URI that is impossible or has a query.
    init(redirectTo redirectURI: String, schemes: [String]) throws(SupabaseError) {
        do {
            let state = Self.isLoopback(redirectURI) ? try AuthorizationState() : nil
            try self.init(redirectURI, schemes: schemes, pkce: PKCE(), state: state)
        } catch {
            throw SupabaseError(.invalidInput, underlying: error, "\(messageOf: error)")
        }
    }

    private init(
        _ redirectURI: String, schemes: [String], pkce: PKCE, state: AuthorizationState?
    ) throws(AuthorizationError) {
        let isRedirect = (try? RedirectURIs([redirectURI], schemes: schemes)) != nil
        let hasQuery = redirectURI.utf8.contains(UInt8(ascii: "?"))
        guard isRedirect, !hasQuery else {
            throw AuthorizationError(
                .malformed,
                "A redirect is https, http on this machine or an app's scheme (one without a dot "
                    + "must be named in `schemes:`), without a query.")
        }
        self.redirectURI = redirectURI
        self.pkce = pkce
        self.state = state
    }

    /// The entry that the project's list of redirect URLs needs for this sign-in; nil if none is
    /// needed, since GoTrue allows every loopback address.
    public var allowListEntry: String? { state == nil ? redirectURI : nil }

    /// The value of `redirect_to`.
    var redirectTo: String {
        state.map { redirectURI + "?state=" + $0.exposedText } ?? redirectURI
    }

    /// Whether an address is http on a loopback address. `localhost` is a name, and does not count.
    private static func isLoopback(_ text: String) -> Bool {
        guard let url = try? EndpointURL(text), url.scheme == "http" else { return false }
        return url.host == "127.0.0.1" || url.host == "[::1]"
    }

    // MARK: Keeping

    private struct Kept: Codable {
        var redirectURI: String
        var verifier: String
        var state: String?
    }

    /// The sign-in as text, **with its secrets**, for a program that the callback starts again.
    /// Keep the text in a store, and remove it when the callback comes.
    public func exportedText() throws(SupabaseError) -> String {
        let kept = Kept(
            redirectURI: redirectURI, verifier: pkce.exposedVerifier, state: state?.exposedText)
        do throws(JSONError) {
            return String(decoding: try JSONTokenEncoder().encode(kept), as: UTF8.self)
        } catch {
            throw SupabaseError(
                .invalidInput, underlying: error, "The sign-in cannot be written as JSON.")
        }
    }

    /// Reads a sign-in from its ``exportedText()``.
    ///
    /// - Throws: `invalidInput`.
    public init(exportedText: String) throws(SupabaseError) {
        do {
            let kept = try StrictJSON.decode(Kept.self, from: exportedText.utf8)
            let state = try kept.state.map { try AuthorizationState($0) }
            guard (state != nil) == Self.isLoopback(kept.redirectURI) else {
                throw AuthorizationError(
                    .malformed,
                    "A sign-in has a state exactly if its redirect is a loopback address."
                )
            }
            // The program named a scheme without a dot when the sign-in began.
            let scheme = kept.redirectURI.utf8.prefix { $0 != UInt8(ascii: ":") }
            try self.init(
                kept.redirectURI, schemes: [String(decoding: scheme, as: UTF8.self)],
                pkce: PKCE(verifier: kept.verifier), state: state)
        } catch {
            throw SupabaseError(
                .invalidInput, underlying: error, "The text holds no sign-in of this version.")
        }
    }

    // MARK: The callback

    /// The code in a callback address.
    func code(url: String) throws(SupabaseError) -> AuthorizationCode {
        try Self.checkSize(url)
        // The fragment, which has the implicit flow's tokens and copies of errors, is not read.
        let octets = url.utf8.prefix { $0 != UInt8(ascii: "#") }
        let base = octets.prefix { $0 != UInt8(ascii: "?") }
        guard isRedirect(String(decoding: base, as: UTF8.self)) else {
            throw Self.invalid("is another address than the redirect of this sign-in")
        }
        return try code(query: String(decoding: octets.dropFirst(base.count + 1), as: UTF8.self))
    }

    /// Whether a callback's address, without its query, is the redirect. Browsers normalise web
    /// addresses: the host in lower case, no default port, a slash for an empty path.
    private func isRedirect(_ base: String) -> Bool {
        if base.utf8.elementsEqual(redirectURI.utf8) { return true }
        guard let own = try? EndpointURL(redirectURI), let called = try? EndpointURL(base),
            own.hasSameOrigin(as: called)
        else { return false }
        return Self.normalPath(of: own).utf8.elementsEqual(Self.normalPath(of: called).utf8)
    }

    private static func normalPath(of url: EndpointURL) -> String {
        url.path.utf8.isEmpty ? "/" : url.path
    }

    /// The code in a callback's query.
    func code(query: String) throws(SupabaseError) -> AuthorizationCode {
        try Self.checkSize(query)
        let parameters = try Self.parameters(query)
        if let state {
            guard let value = parameters["state"],
                ConstantTime.areEqual(value.utf8, state.exposedText.utf8)
            else { throw Self.invalid("has no \"state\", or that of another sign-in") }
        }
        let hasError = parameters["error"] != nil || parameters["error_code"] != nil
        if hasError {
            guard parameters["code"] == nil else { throw Self.invalid("has a code and an error") }
            throw SupabaseError(
                .signInRefused, serverCode: parameters["error_code"].flatMap { GoTrueCode($0) },
                "The provider, or the project, did not sign the person in.")
        }
        guard let text = parameters["code"], text.byteCount <= AuthorizationCode.maximumByteCount,
            let code = try? AuthorizationCode(text.swiftString())
        else { throw Self.invalid("has no code") }
        return code
    }

    /// The parameters that are read. A repeated parameter would be ambiguous.
    private static func parameters(
        _ query: String
    ) throws(SupabaseError) -> [String: ReceivedText] {
        guard let all = FormEncoding.decode(query) else {
            throw invalid("is not percent-encoded parameters")
        }
        guard all.count <= AuthorizationCallback.maximumParameterCount else {
            throw invalid(
                "has \(all.count) parameters instead of at most \(AuthorizationCallback.maximumParameterCount)"
            )
        }
        var found: [String: ReceivedText] = [:]
        for (name, value) in all {
            guard let known = ["code", "state", "error", "error_code"].first(where: name.isEqual)
            else { continue }
            guard found.updateValue(value, forKey: known) == nil else {
                throw invalid("has \"\(shown: known)\" twice")
            }
        }
        return found
    }

    private static func checkSize(_ text: String) throws(SupabaseError) {
        guard text.utf8.count <= maximumByteCount else {
            throw invalid("is longer than \(maximumByteCount) bytes")
        }
    }

    private static func invalid(_ what: ErrorMessage) -> SupabaseError {
        SupabaseError(.invalidCallback, "The callback \(what).")
    }
}
