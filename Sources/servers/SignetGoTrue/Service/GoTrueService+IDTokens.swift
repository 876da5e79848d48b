// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
package import SignetIdentity
internal import SignetJOSE
internal import SignetSignIn

// A provider's ID token, sent by an app: a signed statement of who the person is. The app makes a
// random nonce before, and the token has the nonce's digest.
//
//     POST /token?grant_type=id_token
//     {"provider":"google","id_token":"eyJ…","nonce":"…"}
extension GoTrueService {
    /// Begins a session with an ID token, or links its identity to the signed-in user.
    func signInWithIDToken(
        _ body: GoTrueBody, for request: GoTrueRequest
    ) async throws(GoTrueRefusal) -> GoTrueResponse {
        try await countOrRefuse(options.limits.signIns, name: "sign-ins", for: request)
        guard let token = try body.text("id_token", upTo: BearerToken.maximumByteCount) else {
            throw .oauth("invalid request", description: "id_token required")
        }
        let provider = try namedProvider(in: body)
        try await checkCaptcha(body, for: request)
        // A signed-in user adds another way to sign in.
        let linking =
            try body.flag("link_identity") == true ? try await verifiedSession(of: request) : nil
        let identity = try await verifiedIdentity(
            of: token, from: provider,
            nonce: try body.text("nonce", upTo: GoTrueBody.maximumNonceByteCount),
            accessToken: try body.text("access_token", upTo: BearerToken.maximumByteCount))
        let device = Device(request)
        let grant = try await runTransaction { (transaction) throws(AccountError) -> Grant in
            let admitted = try await self.admit(
                identity, data: ProviderData(identity), linkedBy: linking, in: transaction)
            // With nothing linked, a thief of the session would have a fresh one at aal2 for ever.
            return try await self.beginSession(
                of: admitted.user, by: "oauth", from: device,
                withFactorOf: admitted.isNew ? linking : nil, in: transaction)
        }
        return try response(to: grant)
    }

    /// The provider that a request with an ID token names.
    func namedProvider(in body: GoTrueBody) throws(GoTrueRefusal) -> GoTrueProvider {
        guard let name = try body.received("provider", upTo: GoTrueProviders.maximumNameByteCount),
            let provider = providers.provider(name)
        else {
            throw GoTrueRefusal(
                400, code: "provider_disabled", message: "The provider is not enabled")
        }
        return provider
    }

    /// The user of a verified identity: its owner, the signed-in user who links it, or a new user.
    /// **An address decides nothing**: a provider can invent addresses.
    ///
    /// - Returns: the user's identifier, and whether the signed-in user has linked the identity.
    func admit(
        _ identity: VerifiedIdentity, data: ProviderData, linkedBy linking: VerifiedSession?,
        in transaction: any AccountTransaction
    ) async throws(AccountError) -> (user: String, isNew: Bool) {
        let key = UserIdentity(identity.identityKey)
        var values = ProfileValues(identity)
        values.fullName = data.name
        if let linking {
            guard try await AccountUsers.hold(linking.subject, in: transaction) else {
                throw .noUser
            }
            try await requireFresh(linking, in: transaction)
            try await requireFactor(linking, in: transaction)
            let isNew = try await notices.tell(
                .providerAdded, of: linking.subject, ifNew: key, in: transaction)
            if isNew {
                try options.hooks.requireAllowed(
                    .providerAdded, of: linking.subject, in: transaction)
            }
            let user = try await addIdentity(to: linking.subject, in: transaction) {
                () async throws(AccountError) in
                try await users.people.link(
                    key, profile: values, to: linking.subject, in: transaction)
            }
            try await users.store(data, of: key, in: transaction)
            try await users.touch(user.id, in: transaction)
            return (user.id, isNew)
        }
        if !options.allowsSignUp, try await users.people.owner(of: key, in: transaction) == nil {
            throw AccountError(.noSignUp, "New users are not taken.")
        }
        let user = try await users.findOrAdd(key, profile: values, in: transaction).user
        try await users.store(data, of: key, in: transaction)
        return (user.id, false)
    }

    /// The identity in a token. The client sends the nonce itself, and the token has its SHA-256: a
    /// stolen token is useless without the nonce. A nonce in plain form could be read from the
    /// token, and would prove nothing.
    func verifiedIdentity(
        of token: String, from provider: GoTrueProvider, nonce: String?, accessToken: String?
    ) async throws(GoTrueRefusal) -> VerifiedIdentity {
        do {
            return try await provider.verifier.verify(
                token, nonce: nonce.map { .sha256Hex(of: $0) } ?? .none, accessToken: accessToken)
        } catch {
            throw refusal(ofIDToken: error, hasNonce: nonce != nil)
        }
    }

    /// The refusal of an ID token that was not verified. If this server is at fault, the error is
    /// reported.
    ///
    /// - Parameter hasNonce: whether the client has sent a nonce.
    package func refusal(ofIDToken error: IdentityError, hasNonce: Bool) -> GoTrueRefusal {
        switch error.code {
        // Without a time to wait the key stays refused (`refusesHeldBackKeys`).
        case .keyHeldBack where error.retryAfterSeconds == nil:
            return .oauth("invalid request", description: "Bad ID token")
        case .keySourceUnavailable, .keyHeldBack:
            return GoTrueRefusal(
                503, code: "unexpected_failure", message: "Please try again in a moment"
            )
            .retrying(after: .seconds(error.retryAfterSeconds ?? 1))
        case .libraryFailure, .unsupportedType:
            report(error, message: "An ID token was not verified: \(error.code).")
            return .unexpected
        // `azp`: the token was made for a different client of the provider.
        case .audienceMissing, .audienceUntrusted, .azp:
            return .oauth("invalid request", description: "Unacceptable audience in id_token")
        case .nonceMismatch where hasNonce:
            return .oauth("invalid nonce", description: "Nonces mismatch")
        case .nonceMissing, .nonceMismatch:
            return .oauth(
                "invalid request",
                description: "Passed nonce and nonce in id_token should either both exist or not.")
        default: return .oauth("invalid request", description: "Bad ID token")
        }
    }
}
