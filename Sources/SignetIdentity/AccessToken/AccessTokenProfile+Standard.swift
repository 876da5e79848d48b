// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE

extension AccessTokenProfile {
    /// Access tokens in the form of RFC 9068: `typ` is `at+jwt`, so that an ID token opens no API;
    /// `client_id`, `jti` and `iat` are there.
    ///
    /// - Parameters:
    ///   - issuer: as its tokens have it in `iss`, to the last slash.
    ///   - resources: how the issuer names this server in `aud`.
    ///   - algorithms: what the issuer signs with.
    ///   - keys: where its keys are; found by discovery unless they are named.
    /// - Throws: as ``init(issuer:audience:algorithms:keys:)``.
    public static func rfc9068(
        issuer: String, resources: [String], algorithms: [SignatureAlgorithm] = [.rs256],
        keys: RemoteKeySet.Location = .discovery
    ) throws(IdentityConfigurationError) -> AccessTokenProfile {
        var profile = try AccessTokenProfile(
            issuer: issuer, audience: .anyOf(resources), algorithms: algorithms, keys: keys)
        profile.type = .exactly("at+jwt")
        profile.preset.requiredClaims = ["jti", "client_id"]
        profile.clientClaims = ["client_id"]
        return profile
    }

    /// Spring Authorization Server, as it is set up by default: `scope` is a list and must be
    /// there, which keeps its ID tokens out; `aud` is the client unless the server was told
    /// otherwise.
    ///
    /// - Throws: as ``init(issuer:audience:algorithms:keys:)``.
    public static func spring(
        issuer: String, audiences: [String]
    ) throws(IdentityConfigurationError) -> AccessTokenProfile {
        var profile = try AccessTokenProfile(issuer: issuer, audience: .anyOf(audiences))
        profile.preset.requiredClaims = ["scope"]
        return profile
    }
}
