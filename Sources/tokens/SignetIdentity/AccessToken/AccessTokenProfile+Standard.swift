// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE

extension AccessTokenProfile {
    /// Access tokens of RFC 9068. `typ` is `at+jwt`, so no ID token passes; `client_id`, `jti` and
    /// `iat` are required.
    ///
    /// - Parameters:
    ///   - issuer: exactly as `iss` has it, with its final slash, if any.
    ///   - resources: this server's names in `aud`.
    ///   - algorithms: the issuer's algorithms.
    ///   - keys: the location of its keys; by default found by discovery.
    /// - Throws: the errors of ``init(issuer:audience:algorithms:keys:)``.
    public static func rfc9068(
        issuer: String, resources: [String], algorithms: [SignatureAlgorithm] = [.rs256],
        keys: RemoteKeySet.Location = .discovery
    ) throws(IdentityConfigurationError) -> AccessTokenProfile {
        var profile = try AccessTokenProfile(
            issuer: issuer, audience: .anyOf(resources), algorithms: algorithms, keys: keys)
        profile.type = .exactly("at+jwt")
        profile.preset.requiredClaims = ["jti", "client_id"]
        profile.preset.requiresIssuedAt = true
        profile.clientClaims = ["client_id"]
        return profile
    }

    /// Spring Authorization Server with its default settings: `scope` is a list and is required,
    /// which rejects its ID tokens. `aud` is the client unless the server is configured otherwise.
    ///
    /// - Throws: the errors of ``init(issuer:audience:algorithms:keys:)``.
    public static func spring(
        issuer: String, audiences: [String]
    ) throws(IdentityConfigurationError) -> AccessTokenProfile {
        var profile = try AccessTokenProfile(issuer: issuer, audience: .anyOf(audiences))
        profile.preset.requiredClaims = ["scope"]
        profile.preset.requiresIssuedAt = true
        return profile
    }
}
