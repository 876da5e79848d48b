// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE

/// The rules for the access tokens of one issuer, or other tokens that a request presents, and the
/// place of its keys, as data. The presets are profiles like any other: what they do not have can
/// be written here.
///
/// ```swift
/// var profile = try AccessTokenProfile(
///     issuer: "https://idp.example", audience: .anyOf(["https://api.example"]))
/// profile.roleClaims = [["groups"]]
/// ```
///
/// What tells an access token from an ID token of the same issuer is the profile's business:
/// ``type``, ``requiredClaims``, ``acceptedValues``.
public struct AccessTokenProfile: Sendable, CustomStringConvertible, CustomReflectable {
    /// What a token says about the servers that it is for.
    public enum AudienceRule: Sendable, Hashable {
        /// `aud` must hold one of these.
        case anyOf([String])
        /// `aud` is **not checked**: the tokens have none, and name the client, which must be one
        /// of those of ``AccessTokenProfile/client``.
        case boundByClient
        /// `aud` is **not checked**: the issuer, or the key set, signs for this application alone.
        case boundByIssuer
    }

    /// Which client may have asked for a token (``clientClaims``).
    public enum ClientRule: Sendable, Hashable {
        /// Any, and it need not be named.
        case any
        /// Any, which must be named: where ID tokens name none, it keeps them out.
        case named
        /// One of these.
        case anyOf([String])
        /// One of these where it is named, and it need not be; an empty list: it must not be named.
        case anyOfWhereNamed([String])
    }

    /// A short name for logs.
    public let name: String
    /// `iss` must be one of these, byte for byte.
    public let issuers: [String]
    /// What tokens are signed with. Empty where it is a shared secret.
    public let algorithms: [SignatureAlgorithm]
    /// The audience of a token.
    public let audience: AudienceRule

    /// The header's `typ`. Absent or `JWT` by default; `at+jwt` (RFC 9068) keeps ID tokens out by
    /// itself.
    public var type = TokenPolicy.TypeRule.jwt
    /// The claims that name the client. The first one that is there is the token's; each that is
    /// there must be accepted.
    public var clientClaims = ["client_id", "azp", "cid", "appid"]
    /// Which client may have asked.
    public var client = ClientRule.any
    /// Where the scopes stand: texts of words with blanks between them, or lists of texts.
    public var scopeClaims = ["scope", "scp"]
    /// Where roles, groups or permissions stand: the names from the outside in. A text or a list of
    /// texts; anything else grants nothing.
    public var roleClaims: [[String]] = []
    /// Refuses a token that has neither a scope nor a role (``scopeClaims``, ``roleClaims``): 403.
    /// For issuers that give anybody a token for this audience, and only then say by those what it
    /// is good for.
    public var requiresScopeOrRole = false
    /// What `sub` looks like.
    public var subject = SubjectRule.text(maximumByteCount: 255)
    /// Further claims that must be there, besides those of the preset. `null` does not count as
    /// being there.
    public var requiredClaims: [String] = []
    /// Claims that must be there and be one of these texts, byte for byte, besides those of the
    /// preset.
    public var acceptedValues: [String: [String]] = [:]
    /// Claims that refuse a token when they are one of these texts, besides those of the preset.
    public var refusedValues: [String: [String]] = [:]
    /// A check of the program's own, which runs after all others.
    public var check: (@Sendable (VerifiedAccessToken) throws(IdentityError) -> Void)?

    /// What a preset asks for in any case: what a program sets above comes on top of it.
    package struct Preset: Sendable {
        package internal(set) var requiredClaims: [String] = []
        package internal(set) var acceptedValues: [String: [String]] = [:]
        /// Claims that must be there and begin with this text.
        package internal(set) var acceptedPrefixes: [String: String] = [:]
        package internal(set) var refusedValues: [String: [String]] = [:]
    }

    package internal(set) var preset = Preset()
    let issuer: IssuerRule
    package let keySource: IssuerKeySource

    /// The profile of an issuer with published keys.
    ///
    /// - Parameters:
    ///   - issuer: as its tokens have it, to the last slash. https, or http on this machine.
    ///   - audience: the audience that its tokens must name.
    ///   - algorithms: the algorithms that it signs with.
    ///   - keys: where its keys are; found by discovery unless they are named.
    /// - Throws: `invalidURL`, `invalidIdentifier`; `contradiction` without an algorithm.
    public init(
        issuer: String, audience: AudienceRule, algorithms: [SignatureAlgorithm] = [.rs256],
        keys: RemoteKeySet.Location = .discovery
    ) throws(IdentityConfigurationError) {
        _ = try EndpointURL(issuer)
        try self.init(
            name: "issuer", issuer: .anyOf([issuer]), audience: audience, algorithms: algorithms,
            keySource: .remote(keys))
    }

    /// The profile of an issuer whose metadata are at its address: also one of
    /// ``EndpointURL/init(unencryptedInPrivateNetwork:)``, which a text cannot be.
    ///
    /// - Throws: `invalidURL`, `invalidIdentifier`; `contradiction` without an algorithm.
    public init(
        issuer: EndpointURL, audience: AudienceRule, algorithms: [SignatureAlgorithm] = [.rs256]
    ) throws(IdentityConfigurationError) {
        try self.init(
            name: "issuer", issuer: .anyOf([issuer.text]), audience: audience,
            algorithms: algorithms, keySource: .remote(.discoveryAt(issuer)))
    }

    /// The profile of an issuer that signs with a secret which it shares with this application
    /// (HS256 and so on). Anyone with the secret can make tokens.
    ///
    /// - Throws: `invalidURL`, `invalidIdentifier`.
    public init(
        issuer: String, audience: AudienceRule, secret: HMACKey
    ) throws(IdentityConfigurationError) {
        try self.init(
            name: "issuer", issuer: .anyOf([issuer]), audience: audience, algorithms: [],
            keySource: .secret(secret))
    }

    init(
        name: String, issuer: IssuerRule, audience: AudienceRule, algorithms: [SignatureAlgorithm],
        keySource: IssuerKeySource
    ) throws(IdentityConfigurationError) {
        if case .remote = keySource, algorithms.isEmpty {
            throw IdentityConfigurationError(
                .contradiction, "The list of algorithms is empty: no token could verify.")
        }
        if case .anyOf(let audiences) = audience {
            _ = try Identifier.checked(audiences, "audience")
        }
        self.name = name
        self.issuer = issuer
        if case .anyOf(let issuers) = issuer { self.issuers = issuers } else { issuers = [] }
        self.audience = audience
        self.algorithms = algorithms
        self.keySource = keySource
    }

    var place: VerificationKeys.Place {
        VerificationKeys.Place(source: keySource, issuer: issuer.canonical, algorithms: algorithms)
    }

    /// Name and issuer.
    public var description: String { "AccessTokenProfile(\(name), \(issuer.canonical))" }

    /// Shows name and issuer; never a secret.
    public var customMirror: Mirror {
        Mirror(self, children: ["name": name, "issuer": issuer.canonical])
    }
}
