// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE

/// The client secret of "Sign in with Apple" on the web. Apple does not issue it: the developer
/// signs it, as a token.
public enum AppleClientSecret {
    /// The longest lifetime that Apple accepts, in seconds: six months.
    public static let maximumLifetimeSeconds: Int64 = 15_777_000

    /// Signs a client secret: ES256, `iss` the team, `sub` the client, `aud`
    /// `https://appleid.apple.com`, `iat` and `exp`.
    ///
    /// Keep it secret: until it expires, anyone with it can exchange codes as this client.
    ///
    /// - Parameters:
    ///   - teamID: ten letters and digits, from the developer account.
    ///   - clientID: the Services ID or the bundle identifier.
    ///   - key: the private key with the key identifier that Apple gave it
    ///     (`SigningKey.init(pem:algorithm:keyID:)`).
    ///   - lifetime: 1 s to 15,777,000 s; a fraction of a second is dropped.
    ///   - clock: the source of the time; tests pass a `ManualClock`'s.
    /// - Throws: `invalidIdentifier`; `outOfRange` for a lifetime outside its range;
    ///   `invalidSecret` if the key is not for ES256 or cannot sign.
    public static func issue(
        teamID: String, clientID: String, key: SigningKey, lifetime: Duration = .seconds(86_400),
        clock: TimeSource = .system
    ) throws(IdentityConfigurationError) -> String {
        let seconds = lifetime.wholeSeconds
        guard (1...maximumLifetimeSeconds).contains(seconds) else {
            throw IdentityConfigurationError(
                .outOfRange,
                "Apple accepts client secrets with a lifetime of 1 s to \(maximumLifetimeSeconds) s, not \(lifetime)."
            )
        }
        guard key.algorithm == .es256 else {
            throw IdentityConfigurationError(
                .invalidSecret, "Apple accepts only client secrets that are signed with ES256.")
        }
        guard teamID.utf8.count == 10,
            teamID.utf8.allSatisfy({ $0.isDigit || (0x41...0x5a).contains($0) })
        else {
            throw Identifier.invalid("A team identifier has ten capital letters and digits.")
        }
        let client = try Identifier.checked([clientID], as: "client identifier")
        let claims: JSONValue = .object([
            "iss": .string(teamID), "sub": .string(client[0]),
            "aud": .string("https://appleid.apple.com"),
        ])
        do {
            return try TokenSigner(key: key, clock: clock).sign(claims, lifetime: .seconds(seconds))
        } catch {
            throw IdentityConfigurationError(
                .invalidSecret, underlying: error,
                "The client secret could not be signed (\(error.code)).")
        }
    }
}
