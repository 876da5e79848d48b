// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// Several providers behind one endpoint. It finds a token's verifier by its `iss`, and that of an
/// encrypted token by the `kid` of the key that decrypts it.
///
/// ```swift
/// let google = try IDTokenVerifier(
///     .google(clientIDs: ["1093-web.apps.googleusercontent.com"]), keys: .fetched(over: .curl))
/// let apple = try IDTokenVerifier(
///     .apple(clientIDs: ["com.example.app"]), keys: .fetched(over: .curl))
/// let providers = try IDTokenVerifiers([google, apple])
///
/// func signIn(_ idToken: String, nonce: String) async throws(IdentityError) -> IdentityKey {
///     let verifier = try providers.verifier(for: idToken)
///     return try await verifier.verify(idToken, nonce: .raw(nonce)).identityKey
/// }
/// ```
///
/// A token only chooses among the verifiers that you made. The chosen verifier checks all of it.
public struct IDTokenVerifiers: Sendable {
    /// The verifiers whose issuers can be listed, by each `iss`.
    private let verifiersByIssuer: [ReceivedText.Key: IDTokenVerifier]
    /// The verifiers whose issuers cannot be listed, such as any tenant of Microsoft Entra
    /// (`https://login.microsoftonline.com/TENANT/v2.0`). There are few, since no two verifiers may
    /// accept the same issuer.
    private let templates: [IDTokenVerifier]
    private let encrypted: EncryptedTokenRoutes
    private let maximumTokenByteCount: Int

    /// - Throws: `contradiction` if the list is empty, or two verifiers accept tokens of the same
    ///   issuer. If several verifiers decrypt, `contradiction` also if two of them have the same
    ///   key, or keys with the same `kid`, or a key has no `kid`.
    public init(_ verifiers: [IDTokenVerifier]) throws(IdentityConfigurationError) {
        var verifiersByIssuer: [ReceivedText.Key: IDTokenVerifier] = [:]
        var templates = [IDTokenVerifier]()
        for (index, verifier) in verifiers.enumerated() {
            let rule = verifier.provider.issuer
            let listed = rule.listedIssuers
            // A list is compared with the earlier templates, a template with every earlier
            // verifier. Two lists with the same issuer meet in the dictionary below.
            let others = listed == nil ? verifiers[..<index] : templates[...]
            guard !others.contains(where: { rule.overlaps($0.provider.issuer) }) else {
                throw Self.contradiction(rule)
            }
            guard let listed else {
                templates.append(verifier)
                continue
            }
            // A set, because a provider may list an issuer twice.
            for issuer in Set(listed.map { ReceivedText($0).key }) {
                let earlier = verifiersByIssuer.updateValue(verifier, forKey: issuer)
                guard earlier == nil else { throw Self.contradiction(rule) }
            }
        }
        guard !verifiers.isEmpty else {
            throw IdentityConfigurationError(.contradiction, "The list of verifiers is empty.")
        }
        self.verifiersByIssuer = verifiersByIssuer
        self.templates = templates
        encrypted = try EncryptedTokenRoutes(verifiers)
        maximumTokenByteCount = verifiers.map(\.maximumTokenByteCount).max() ?? 0
    }

    /// The verifier of the provider with this `iss`, or of an encrypted token. Reads nothing but
    /// `iss`, or the outer `kid`, and verifies nothing yet. If one verifier alone decrypts, every
    /// encrypted token is its.
    ///
    /// - Throws: `issuer` if no provider has this `iss`; `unknownKid` if several verifiers decrypt
    ///   and an encrypted token has no `kid`, or that of no key; `tooLarge`, `malformed` and so on
    ///   for a token that no verifier would accept.
    public func verifier(for idToken: some StringProtocol) throws(IdentityError) -> IDTokenVerifier
    {
        let route = try encrypted.verifier(for: idToken, maximumByteCount: maximumTokenByteCount)
        if let route { return route }
        let issuer: String?
        do {
            issuer = try UnverifiedToken(
                idToken, maximumByteCount: maximumTokenByteCount, nullIsAbsent: true
            ).issuer
        } catch {
            throw IdentityError(error)
        }
        guard let text = issuer.map({ ReceivedText($0) }), let verifier = verifier(of: text) else {
            throw IdentityError(
                .issuer, claim: "iss", "The token is not from any of the providers.")
        }
        return verifier
    }

    private func verifier(of issuer: ReceivedText) -> IDTokenVerifier? {
        verifiersByIssuer[issuer.key]
            ?? templates.first { $0.provider.issuer.accepts(issuer) }
    }

    private static func contradiction(_ rule: IssuerRule) -> IdentityConfigurationError {
        IdentityConfigurationError(
            .contradiction, "Two verifiers accept tokens of one issuer (\(shown: rule.canonical)).")
    }
}
