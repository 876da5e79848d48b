// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

extension IdentityProvider {
    /// Firebase Authentication (Google Identity Platform).
    ///
    /// `aud` is the project, `iss` is `https://securetoken.google.com/` and the project, `sub` has
    /// 1 to 128 bytes, `auth_time` is required and must not be in the future. RS256; the keys are
    /// published as X.509 certificates. Anonymous sign-ins are **not** rejected: check the claim
    /// `firebase`.
    ///
    /// - Throws: `invalidIdentifier`.
    public static func firebase(projectID: String) throws(IdentityConfigurationError)
        -> IdentityProvider
    {
        let isPlain = projectID.utf8.allSatisfy {
            (0x61...0x7a).contains($0) || (0x30...0x39).contains($0)
                || [0x2d, 0x2e, 0x3a].contains($0)
        }
        guard isPlain else {
            throw Identifier.invalid(
                "The project's identifier holds characters that are not allowed.")
        }
        let keys =
            "https://www.googleapis.com/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com"
        var provider = try IdentityProvider(
            name: "firebase", clientIDs: [projectID], algorithms: [.rs256],
            issuer: .anyOf(["https://securetoken.google.com/\(projectID)"]),
            keySource: .remote(.certificates(EndpointURL(keys))),
            facts: ProviderFacts(
                subject: .text(maximumByteCount: 128), requiresAuthenticationTime: true))
        provider.codeFlow = nil
        return provider
    }
}
