// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetIdentity
internal import SignetJOSE

/// The token by which a client with a key authenticates (RFC 7523, section 3; OpenID Connect Core
/// 1.0, section 9).
struct ClientAssertion: Sendable {
    static let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
    private static let lifetimes = Duration.seconds(1)...Duration.seconds(300)

    let key: SigningKey
    let audience: String
    let lifetime: Duration
    let clock: TimeSource

    /// - Throws: `invalidIdentifier`, `outOfRange`.
    func check() throws(IdentityConfigurationError) {
        guard (1...2_048).contains(audience.utf8.count),
            audience.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        else {
            throw IdentityConfigurationError(
                .invalidIdentifier,
                "The audience of a client's assertion is the issuer: 1 to 2,048 characters of "
                    + "printable ASCII without blanks.")
        }
        guard Self.lifetimes.contains(lifetime) else {
            throw IdentityConfigurationError(
                .outOfRange, "A client's assertion is good for 1 to 300 s, not \(lifetime).")
        }
    }

    /// A new token for each request: many servers accept each `jti` once.
    func token(for clientID: String) throws(AuthorizationError) -> String {
        let claims: JSONValue = .object([
            "iss": .string(clientID), "sub": .string(clientID), "aud": .string(audience),
            "jti": .string(try RandomText.make()),
        ])
        do {
            return try TokenSigner(key: key, clock: clock).sign(claims, lifetime: lifetime)
        } catch {
            throw AuthorizationError(
                .libraryFailure,
                underlying: error,
                "The client's assertion could not be signed (\(error.code)).")
        }
    }
}
