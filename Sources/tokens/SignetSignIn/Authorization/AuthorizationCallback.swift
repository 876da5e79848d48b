// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetIdentity
internal import SignetJOSE

/// A provider's response to an ``AuthorizationRequest``, which came back through the browser.
/// Everything in it may be forged.
///
/// From `code=Sp1xl0BeZQQYbYS6&state=af0ifjsldkj&iss=https%3A%2F%2Fidp.example` comes the code,
/// which the token endpoint exchanges for tokens. `state` is the random text of this browser's
/// request, and `iss` the provider's name for itself.
///
/// Checked, in this order: size; the form (strict percent-encoding, UTF-8); that `code`, `state`,
/// `iss`, `error` and `error_description` occur at most once; `state`, in constant time; `iss` (RFC
/// 9207) if present, and that it is present if the provider sends it; then the provider's error or
/// the code. Parameters of any other name, and empty parameters, are ignored (RFC 6749, section
/// 4.1.2). **Not** checked: that the code is valid, which only the token endpoint knows.
public struct AuthorizationCallback: Sendable, Redacted {
    /// The longest callback, in bytes.
    public static var maximumByteCount: Int { 16_384 }
    /// The most parameters.
    public static var maximumParameterCount: Int { 64 }

    /// The code, to redeem at the provider's token endpoint.
    public let code: AuthorizationCode
    typealias Parameter = (name: ReceivedText, value: ReceivedText)
    private let parameters: [Parameter]

    /// Reads the query of the requested address, or the body of a POST if the request asked for
    /// `form_post`.
    ///
    /// - Parameters:
    ///   - query: the text after the `?`, or the form's body.
    ///   - state: the state of this browser's sign-in. Forget it now, whatever the result.
    ///   - issuer: the provider's issuer, as its metadata and ID tokens name it.
    ///   - requiresIssuer: whether that provider says that it sends `iss`
    ///     (`authorization_response_iss_parameter_supported`).
    /// - Throws: `tooLarge`, `malformed`, `repeatedParameter`, `stateMissing`, `stateMismatch`,
    ///   `issuerMissing`, `issuerMismatch`, `refused`, `codeMissing`.
    public init(
        query: String, state: AuthorizationState, issuer: String, requiresIssuer: Bool = false
    ) throws(AuthorizationError) {
        try self.init(query: query, state: state, requiresIssuer: requiresIssuer) {
            $0.isEqual(to: issuer)
        }
    }

    /// Checks the parameters and takes the code.
    ///
    /// - Parameter isIssuer: whether an `iss` is the expected provider's.
    init(
        query: String, state: AuthorizationState, requiresIssuer: Bool,
        isIssuer: (ReceivedText) -> Bool
    ) throws(AuthorizationError) {
        let parameters = try Self.parameters(query)
        try Self.checkState(parameters, against: state)
        try Self.checkIssuer(parameters, isRequired: requiresIssuer, isIssuer)
        let code = Self.value("code", in: parameters)
        if let error = Self.value("error", in: parameters) {
            guard code == nil else {
                throw AuthorizationError(.malformed, "The callback has a code and an error.")
            }
            throw AuthorizationError(
                .refused,
                refusal: ProviderRefusal(
                    error: error, description: Self.value("error_description", in: parameters),
                    secrets: [state.exposedText]), "The provider did not sign the user in.")
        }
        guard let code else {
            throw AuthorizationError(.codeMissing, "The callback has neither a code nor an error.")
        }
        self.code = try AuthorizationCode(code)
        self.parameters = parameters
    }

    /// Reads the whole requested address, for native apps and programs that listen on the loopback
    /// interface.
    ///
    /// - Parameters:
    ///   - url: the whole address.
    ///   - redirectURI: the request's redirect URI, including its port. The address must begin with
    ///     it, octet for octet.
    ///   - state: the state of this sign-in. Forget it now, whatever the result.
    ///   - issuer: the provider's issuer, as its metadata name it.
    ///   - requiresIssuer: whether that provider says that it sends `iss`.
    /// - Throws: the errors of ``init(query:state:issuer:requiresIssuer:)``; `redirectMismatch` for
    ///   an address that does not begin with `redirectURI`, `fragment` if anything follows `#`
    ///   except the `_=_` that Facebook always appends.
    public init(
        url: String, redirectURI: String, state: AuthorizationState, issuer: String,
        requiresIssuer: Bool = false
    ) throws(AuthorizationError) {
        try self.init(
            query: try Self.query(of: url, redirectURI: redirectURI), state: state, issuer: issuer,
            requiresIssuer: requiresIssuer)
    }

    /// Reads a query or a body, with the rules for `iss` from the provider's metadata. Throws the
    /// errors of ``init(query:state:issuer:requiresIssuer:)``.
    public init(
        query: String, state: AuthorizationState, provider: ProviderMetadata
    ) throws(AuthorizationError) {
        try self.init(
            query: query, state: state, issuer: provider.issuer,
            requiresIssuer: provider.sendsIssuerInResponse)
    }

    /// The value of any parameter, such as `user` in Apple's first response. The value is not
    /// verified: the browser's user can write anything. Nil if the parameter is absent or repeated,
    /// or its value exceeds 1,024 bytes.
    public func unverifiedParameter(_ name: String) -> String? {
        guard Self.count(name, in: parameters) == 1, let value = Self.value(name, in: parameters),
            value.byteCount <= ReceivedText.maximumUnverifiedByteCount
        else { return nil }
        return value.swiftString()
    }

    /// The `state` of a callback, before the sign-in that it belongs to is known.
    static func state(of query: String) throws(AuthorizationError) -> AuthorizationState {
        guard let text = value("state", in: try parameters(query)) else {
            throw AuthorizationError(.stateMissing, "The callback has no \"state\".")
        }
        guard text.byteCount <= AuthorizationState.maximumByteCount else {
            throw AuthorizationError(
                .stateMismatch, "The callback's \"state\" does not belong to a sign-in here.")
        }
        return try AuthorizationState(text.swiftString())
    }

    /// Whether a callback reports a failed sign-in, for a page that is shown before the callback is
    /// checked.
    static func isRefusal(_ query: String) -> Bool {
        guard let parameters = try? parameters(query) else { return false }
        return count("error", in: parameters) > 0
    }

    /// The response's part of a requested address, which must begin with the redirect URI.
    static func query(of url: String, redirectURI: String) throws(AuthorizationError) -> String {
        try checkSize(url)
        var octets = url.utf8[...]
        // Facebook appends this to each response.
        let mark = "#_=_".utf8
        if octets.suffix(mark.count).elementsEqual(mark) { octets = octets.dropLast(mark.count) }
        // Checked before the address is compared, because this error is more useful.
        guard !octets.contains(UInt8(ascii: "#")) else {
            throw AuthorizationError(
                .fragment, "The answer stands in the fragment; only response_type=code is offered.")
        }
        let expected = redirectURI.utf8
        let rest = octets.dropFirst(expected.count)
        // A redirect URI may have its own query, to which the response is appended.
        let separator = expected.contains(UInt8(ascii: "?")) ? UInt8(ascii: "&") : UInt8(ascii: "?")
        let beginsWithRedirect = !expected.isEmpty && octets.starts(with: expected)
        let isWholeRedirect = rest.isEmpty || rest.first == separator
        guard beginsWithRedirect, isWholeRedirect, let query = String(rest.dropFirst()) else {
            throw AuthorizationError(
                .redirectMismatch,
                "The address that was called is not the redirect URI of the request.")
        }
        return query
    }

    private static func checkSize(_ text: String) throws(AuthorizationError) {
        guard text.utf8.count <= maximumByteCount else {
            throw AuthorizationError(
                .tooLarge, "The callback is longer than \(maximumByteCount) bytes.")
        }
    }

    /// Reads the parameters strictly, within the limits on size and number.
    static func parameters(
        _ query: String
    ) throws(AuthorizationError) -> [Parameter] {
        try checkSize(query)
        let count = 1 + query.utf8.count(where: { $0 == UInt8(ascii: "&") })
        guard count <= maximumParameterCount else {
            throw AuthorizationError(
                .tooLarge,
                "The callback has \(count) parameters instead of at most \(maximumParameterCount).")
        }
        guard let parameters = FormEncoding.decode(query) else {
            throw AuthorizationError(
                .malformed,
                "The callback is not percent-encoded parameters in UTF-8, joined by \"&\".")
        }
        for name in decisiveNames where Self.count(name, in: parameters) > 1 {
            throw AuthorizationError(
                .repeatedParameter, "\"\(shown: name)\" is there twice in the callback.")
        }
        return parameters
    }

    /// Checks that the callback belongs to this browser's sign-in.
    static func checkState(
        _ parameters: [Parameter], against state: AuthorizationState
    ) throws(AuthorizationError) {
        guard let value = value("state", in: parameters) else {
            throw AuthorizationError(.stateMissing, "The callback has no \"state\".")
        }
        guard state.matches(value) else {
            throw AuthorizationError(
                .stateMismatch, "The callback's \"state\" is that of another sign-in.")
        }
    }

    /// RFC 9207, section 2.4: a simple comparison, also for callbacks that report an error.
    private static func checkIssuer(
        _ parameters: [Parameter], isRequired: Bool, _ isIssuer: (ReceivedText) -> Bool
    ) throws(AuthorizationError) {
        guard let value = value("iss", in: parameters) else {
            guard !isRequired else {
                throw AuthorizationError(
                    .issuerMissing, "The callback has no \"iss\", which this provider sends.")
            }
            return
        }
        guard isIssuer(value) else {
            throw AuthorizationError(
                .issuerMismatch,
                "The callback comes from another provider than the one that was asked.")
        }
    }

    /// The parameters that decide something or are reported. A repeated parameter would be
    /// ambiguous (RFC 6749, section 3.1).
    private static let decisiveNames = ["code", "state", "iss", "error", "error_description"]

    private static func count(_ name: String, in parameters: [Parameter]) -> Int {
        parameters.count { $0.name.isEqual(to: name) }
    }

    private static func value(_ name: String, in parameters: [Parameter]) -> ReceivedText? {
        parameters.first { $0.name.isEqual(to: name) }?.value
    }
}
