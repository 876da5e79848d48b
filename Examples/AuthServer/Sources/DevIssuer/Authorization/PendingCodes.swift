// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetJOSE
internal import Synchronization

/// Authorization codes that were issued and not used yet. Each works once, for one minute.
final class PendingCodes: Sendable {
    struct Grant: Sendable {
        let clientID: String
        let redirectURI: String
        let challenge: String
        let nonce: String?
        let expires: ContinuousClock.Instant
    }

    private static let lifetime: Duration = .seconds(60)
    private static let maximumCount = 1_000

    private let grants = Mutex<[String: Grant]>([:])

    /// A code for a grant; nil if too many codes are pending.
    func add(clientID: String, redirectURI: String, challenge: String, nonce: String?) throws
        -> String?
    {
        let code = Base64URL.encode(try SecureRandom.bytes(count: 32))
        let now = ContinuousClock.now
        return grants.withLock { grants in
            grants = grants.filter { $0.value.expires > now }
            guard grants.count < Self.maximumCount else { return nil }
            grants[code] = Grant(
                clientID: clientID, redirectURI: redirectURI, challenge: challenge, nonce: nonce,
                expires: now.advanced(by: Self.lifetime))
            return code
        }
    }

    /// Takes the code: any request uses it up, whatever the outcome.
    func take(_ code: String) -> Grant? {
        grants.withLock { $0.removeValue(forKey: code) }.flatMap { $0.expires > .now ? $0 : nil }
    }
}
