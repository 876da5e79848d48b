// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE

/// The rules, as data, for an issuer's access tokens or other tokens that requests present, and the
/// location of its keys. Presets are ordinary profiles, so you can write a profile for any issuer.
///
/// ```swift
/// var profile = try AccessTokenProfile(
///     issuer: "https://idp.example", audience: .anyOf(["https://api.example"]))
/// profile.roleClaims = [["groups"]]
/// ```
///
/// The profile must distinguish access tokens from ID tokens of the same issuer: by ``type``,
/// ``requiredClaims`` or ``acceptedValues``.
public struct AccessTokenProfile: Sendable, CustomStringConvertible, CustomReflectable {
    /// How a token names the servers that it is for.
    public enum AudienceRule: Sendable, Hashable {
        /// `aud` must hold at least one audience of the list.
        case anyOf([String])
        /// `aud` is **not checked**: the tokens have none and name the client, which
        /// ``AccessTokenProfile/client`` must accept.
        case boundByClient
        /// `aud` is **not checked**: the issuer or key set signs only for this application.
        case boundByIssuer
    }

    /// Which client may have requested a token (``clientClaims``).
    public enum ClientRule: Sendable, Hashable {
        /// Any client, or none.
        case any
        /// Any client, but the token must name it. Keeps out ID tokens that name no client.
        case named
        /// A client of this list.
        case anyOf([String])
        /// A client of this list, or none. With an empty list, a token must name no client.
        case anyOfWhereNamed([String])
    }

    /// A short name for logs.
    public let name: String
    /// `iss` must be an issuer of this list, byte for byte.
    public let issuers: [String]
    /// The issuer's algorithms. Empty for a shared secret.
    public let algorithms: [SignatureAlgorithm]
    /// The audience of a token.
    public let audience: AudienceRule

    /// The header's `typ`. Absent or `JWT` by default; `at+jwt` (RFC 9068) alone keeps ID tokens
    /// out.
    public var type = TokenPolicy.TypeRule.jwt
    /// The claims that name the client. The first claim that is present counts, but each present
    /// claim must name an accepted client.
    public var clientClaims = ["client_id", "azp", "cid", "appid"]
    /// Which client may have requested a token.
    public var client = ClientRule.any
    /// The claims with the scopes: texts of words separated by spaces, or lists of texts.
    public var scopeClaims = ["scope", "scp"]
    /// The paths to roles, groups or permissions, as names from the outside in: a text or a list of
    /// texts. Anything else grants nothing.
    public var roleClaims: [[String]] = []
    /// Rejects a token with neither a scope nor a role (``scopeClaims``, ``roleClaims``) with 403.
    /// For issuers that give anyone a token for this audience and grant access only by scopes and
    /// roles.
    public var requiresScopeOrRole = false
    /// What happens to a token that is bound to its sender (`cnf`): by default it is rejected.
    public var sender = SenderRule.bearerOnly
    /// The form of `sub`: Unicode up to 1,024 bytes without control characters, or what a preset
    /// says. ``SubjectRule/absentForClients`` also accepts the tokens of clients without `sub`.
    public var subject = SubjectRule.text(maximumByteCount: 255)
    /// Required claims, besides the preset's. `null` counts as absent.
    public var requiredClaims: [String] = []
    /// Claims that are required and must equal a text of their list, byte for byte, besides the
    /// preset's.
    public var acceptedValues: [String: [String]] = [:]
    /// Claims that must not equal any text of their list, besides the preset's.
    public var refusedValues: [String: [String]] = [:]
    /// The program's own check, which runs last.
    public var check: (@Sendable (VerifiedAccessToken) throws(IdentityError) -> Void)?

    /// The rules that a preset always applies. The profile's own properties add to them.
    package struct Preset: Sendable {
        package internal(set) var requiredClaims: [String] = []
        package internal(set) var acceptedValues: [String: [String]] = [:]
        /// Claims that are required and must begin with this text.
        package internal(set) var acceptedPrefixes: [String: String] = [:]
        package internal(set) var refusedValues: [String: [String]] = [:]
        /// False where only RFC 7519 rules, for which `iat` is optional.
        package internal(set) var requiresIssuedAt = true
    }

    package internal(set) var preset = Preset()
    let issuer: IssuerRule
    package let keySource: IssuerKeySource

    /// The profile of an issuer with published keys. `iat` is optional: name it in
    /// ``requiredClaims`` if the issuer writes it.
    ///
    /// - Parameters:
    ///   - issuer: exactly as its tokens have it, with its final slash, if any. https, or http on
    ///     this machine.
    ///   - audience: the audience that its tokens must name.
    ///   - algorithms: the algorithms that it signs with.
    ///   - keys: the location of its keys; by default found by discovery.
    /// - Throws: `invalidURL`, `invalidIdentifier`; `contradiction` without an algorithm.
    public init(
        issuer: String, audience: AudienceRule, algorithms: [SignatureAlgorithm] = [.rs256],
        keys: RemoteKeySet.Location = .discovery
    ) throws(IdentityConfigurationError) {
        _ = try EndpointURL(issuer)
        try self.init(
            name: "issuer", issuer: .anyOf([issuer]), audience: audience, algorithms: algorithms,
            keySource: .remote(keys))
        followOnlyJWT()
    }

    /// The profile of an issuer whose metadata are at its address. Accepts
    /// ``EndpointURL/init(unencryptedInPrivateNetwork:)``, which an initialiser from text cannot.
    ///
    /// - Throws: `invalidURL`, `invalidIdentifier`; `contradiction` without an algorithm.
    public init(
        issuer: EndpointURL, audience: AudienceRule, algorithms: [SignatureAlgorithm] = [.rs256]
    ) throws(IdentityConfigurationError) {
        try self.init(
            name: "issuer", issuer: .anyOf([issuer.text]), audience: audience,
            algorithms: algorithms, keySource: .remote(.discoveryAt(issuer)))
        followOnlyJWT()
    }

    /// The profile of an issuer that shares a secret with this application (HS256 and so on).
    /// Anyone with the secret can make tokens.
    ///
    /// - Throws: `invalidURL`, `invalidIdentifier`.
    public init(
        issuer: String, audience: AudienceRule, secret: HMACKey
    ) throws(IdentityConfigurationError) {
        try self.init(
            name: "issuer", issuer: .anyOf([issuer]), audience: audience, algorithms: [],
            keySource: .secret(secret))
        followOnlyJWT()
    }

    /// RFC 7519 gives `sub` no form, and lets `iat` be absent.
    private mutating func followOnlyJWT() {
        subject = .unicode(maximumByteCount: 1_024)
        preset.requiresIssuedAt = false
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
            _ = try Identifier.checked(audiences, as: "audience")
        }
        self.name = name
        self.issuer = issuer
        if case .anyOf(let issuers) = issuer { self.issuers = issuers } else { issuers = [] }
        self.audience = audience
        self.algorithms = algorithms
        self.keySource = keySource
    }

    var keyRules: VerificationKeys.Rules {
        VerificationKeys.Rules(source: keySource, issuer: issuer.canonical, algorithms: algorithms)
    }

    /// The name and the issuer.
    public var description: String { "AccessTokenProfile(\(name), \(issuer.canonical))" }

    /// The name and the issuer, never a secret.
    public var customMirror: Mirror {
        Mirror(self, children: ["name": name, "issuer": issuer.canonical])
    }
}
