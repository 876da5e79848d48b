// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetIdentity
internal import SignetJOSE
internal import SignetSignIn

// The authorization-code flow with PKCE (RFC 7636): a browser goes to a provider, and returns with
// a code, which only the client that began the flow can exchange. It alone knows the verifier, a
// random text, whose SHA-256 digest is the challenge.
//
// 1. authorize: `GET /authorize?provider=google&code_challenge=…&code_challenge_method=s256
//    &redirect_to=https://app.example/back` redirects to the provider. Challenge and address wait
//    in the sealed sign-in, the application state.
// 2. callback: the provider redirects to `/callback/google?code=…&state=…`. This server signs the
//    person in there, and redirects to `https://app.example/back?code=…`, with a code of its own.
// 3. The client exchanges that code and its verifier (`POST /token?grant_type=pkce`).
extension GoTrueService {
    /// The data that wait for the provider's response, in the sealed sign-in.
    private struct BrowserState {
        /// The length of a SHA-256 digest in base64url.
        static let challengeByteCount = 43

        let challenge: String
        let redirect: String

        var text: String { challenge + redirect }

        init(challenge: String, redirect: String) {
            self.challenge = challenge
            self.redirect = redirect
        }

        init?(_ text: String) {
            // offset  size  field
            //      0    43  the client's code_challenge
            //     43        the address to return to
            guard text.utf8.count > Self.challengeByteCount else { return nil }
            challenge = String(decoding: text.utf8.prefix(Self.challengeByteCount), as: UTF8.self)
            redirect = String(decoding: text.utf8.dropFirst(Self.challengeByteCount), as: UTF8.self)
        }
    }

    /// `GET /authorize`.
    func authorize(_ request: GoTrueRequest) async throws(GoTrueRefusal) -> GoTrueResponse {
        try await countOrRefuse(options.limits.signIns, name: "sign-ins", for: request)
        let query = try GoTrueQuery(request)
        guard let name = try query.value("provider"),
            let signIn = providers.provider(name)?.signIn
        else { throw .invalid("Unsupported provider: provider is not enabled") }
        let state = try browserState(query)
        do {
            let begun = try await signIn.begin(applicationState: state.text)
            return .redirect(to: begun.url, cookie: begun.setCookie)
        } catch {
            guard case .authorization(let cause) = error.cause, cause.code == .tooLarge else {
                throw refusal(of: error)
            }
            // The sign-in decides how long a state may be. Only the length of the address varies.
            let count = state.redirect.utf8.count
            throw .invalid(
                "redirect_to has \(count) bytes, and code_challenge "
                    + "\(BrowserState.challengeByteCount): \(messageOf: cause)")
        }
    }

    /// Accepts only a client that uses PKCE with S256, and only an allowed address to return to.
    private func browserState(_ query: GoTrueQuery) throws(GoTrueRefusal) -> BrowserState {
        let method = try query.value("code_challenge_method")
        guard let challenge = try query.value("code_challenge"),
            method?.utf8.map(\.inLowerCase).elementsEqual("s256".utf8) == true,
            challenge.byteCount == BrowserState.challengeByteCount,
            (try? Base64URL.decode(challenge.swiftString())) != nil
        else {
            throw .invalid("PKCE flow requires code_challenge and the code_challenge_method s256")
        }
        guard let redirect = try query.value("redirect_to") else {
            throw .invalid("redirect_to required")
        }
        let address = redirect.swiftString()
        guard options.allowsRedirect(address) else {
            throw .invalid("redirect_to is not an allowed address")
        }
        return BrowserState(challenge: challenge.swiftString(), redirect: address)
    }

    /// `/callback/NAME`: the provider's response, in the query or, from Apple, in a form.
    func callback(
        _ name: ReceivedText, for request: GoTrueRequest
    ) async throws(GoTrueRefusal) -> GoTrueResponse {
        guard let signIn = providers.provider(name)?.signIn else {
            throw GoTrueRefusal(404, code: "unknown", message: "404: not found")
        }
        let query = try Self.callbackQuery(of: request)
        let cookies = request.values(of: "cookie").joined(separator: "; ")
        let (stateText, result) = await signIn.attempt(query: query, cookies: cookies)
        guard let state = stateText.flatMap(BrowserState.init),
            options.allowsRedirect(state.redirect)
        else {
            // There is no address to return to, so a failure is this request's own refusal.
            _ = try requireFinished(result)
            report(
                nil,
                message: "A sign-in ended, but it has no redirect_to that is among the redirects.")
            throw .unexpected
        }
        do {
            let finished = try requireFinished(result)
            let code = try await makeCode(for: finished, with: state)
            return .redirect(
                to: Self.adding([("code", code)], to: state.redirect),
                cookie: finished.clearedCookie)
        } catch {
            let parameters = [
                ("error", error.isOwnFault ? "server_error" : "access_denied"),
                ("error_code", error.code), ("error_description", error.message),
            ]
            return .redirect(to: Self.adding(parameters, to: state.redirect), cookie: nil)
        }
    }

    private func requireFinished(
        _ result: Result<SignIn.Finished, SignInError>
    ) throws(GoTrueRefusal) -> SignIn.Finished {
        do { return try result.get() } catch { throw refusal(of: error) }
    }

    /// The code for the client, after its user was found or added.
    private func makeCode(
        for finished: SignIn.Finished, with state: BrowserState
    ) async throws(GoTrueRefusal) -> String {
        try await runTransaction { (transaction) throws(AccountError) -> String in
            let admitted = try await self.admit(
                finished.identity, data: ProviderData(finished), linkedBy: nil, in: transaction)
            return try await BrowserCodes.make(
                for: admitted.user, challenge: state.challenge, in: transaction)
        }
    }

    /// The provider's response: the query, or the body of a POST.
    private static func callbackQuery(of request: GoTrueRequest) throws(GoTrueRefusal) -> String {
        guard request.method.utf8.elementsEqual("POST".utf8) else { return request.query }
        guard request.body.count <= GoTrueRequest.maximumBodyByteCount else {
            throw GoTrueRefusal(
                400, code: "bad_oauth_callback",
                message: "The body has more than \(GoTrueRequest.maximumBodyByteCount) bytes")
        }
        // A form is percent-encoded: printable ASCII without spaces.
        guard request.body.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            throw GoTrueRefusal(
                400, code: "bad_oauth_callback", message: "The provider's response is not a form")
        }
        return String(decoding: request.body, as: UTF8.self)
    }

    private func refusal(of error: SignInError) -> GoTrueRefusal {
        let refusal = HTTPRefusal(error)
        switch refusal.status {
        case 503:
            // A provider's outage is not reported, but an outage of the program's own store is.
            if case .authorization(let cause) = error.cause, cause.code == .storeUnavailable {
                report(error, message: "A sign-in was not stored or read: \(error.code).")
            }
            return GoTrueRefusal(
                503, code: "unexpected_failure", message: "The provider is unavailable"
            )
            .retrying(after: .seconds(refusal.retryAfterSeconds ?? 1))
        case 500...599:
            report(error, message: "A sign-in failed: \(error.code).")
            return .unexpected
        default:
            return error.shouldBeginAgain
                ? GoTrueRefusal(
                    400, code: "bad_oauth_state", message: "OAuth state has expired or is invalid")
                : GoTrueRefusal(
                    400, code: "bad_oauth_callback",
                    message: "The provider did not sign the person in")
        }
    }

    /// The address with the parameters after its query.
    private static func adding(_ parameters: [(name: String, value: String)], to address: String)
        -> String
    {
        let separator = address.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
        return address + separator + FormEncoding.encode(parameters)
    }
}
