// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetJOSE

/// Proves that the client that redeems an authorization code also began the sign-in (RFC 7636). The
/// request sends a hash of a secret verifier, and the exchange sends the verifier.
///
/// Pass the same PKCE to the request and the exchange as ``Use/used(_:)``. Only the method `S256`
/// is supported; `plain` shows the verifier to anyone who reads the request. Keep the verifier
/// where the callback finds it and the browser's user does not: a server-side record or a sealed
/// cookie. Printing shows nothing of it.
public struct PKCE: Sendable, CustomStringConvertible, CustomReflectable {
    /// `code_challenge_method`.
    public static var method: String { "S256" }

    /// `code_verifier`, a secret until the code is redeemed.
    public let exposedVerifier: String
    /// `code_challenge`: the SHA-256 hash of the verifier, in base64url.
    public let challenge: String

    /// A new verifier: 256 random bits as 43 characters.
    ///
    /// - Throws: `libraryFailure`.
    public init() throws(AuthorizationError) {
        try self.init(verifier: try RandomText.make())
    }

    /// A verifier that was stored during the sign-in.
    ///
    /// - Throws: `malformed` unless it has 43 to 128 unreserved characters (section 4.1),
    ///   `libraryFailure`.
    public init(verifier: String) throws(AuthorizationError) {
        try RandomText.check(verifier, byteCount: 43...128)
        exposedVerifier = verifier
        challenge = try Self.challenge(verifier)
    }

    /// Whether `challenge` was made from `verifier` (section 4.6), compared in constant time. For a
    /// provider's side of the exchange.
    public static func matches(verifier: String, challenge: String) -> Bool {
        guard let own = try? PKCE(verifier: verifier) else { return false }
        return ConstantTime.areEqual(own.challenge.utf8, challenge.utf8)
    }

    /// The challenge, without the verifier.
    public var description: String { "PKCE(challenge: \(challenge), verifier redacted)" }

    /// Only the challenge.
    public var customMirror: Mirror { Mirror(self, children: ["challenge": challenge]) }

    private static func challenge(_ verifier: String) throws(AuthorizationError) -> String {
        do throws(CryptographyError) {
            return Base64URL.encode(try MessageDigest.digest(verifier.utf8, using: .sha256))
        } catch {
            throw AuthorizationError(.libraryFailure, underlying: error, "libcrypto lacks SHA-256.")
        }
    }
}
