// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetIdentity
internal import SignetJOSE
internal import Synchronization

/// Issues and verifies session tokens with the keys in hand, which may be exchanged while requests run.
package final class SessionTokens: Sendable {
    private let current: Mutex<SessionTokenIssuer>
    let clock: TimeSource

    /// - Throws: what is wrong with issuer, audience or keys.
    package init(
        issuer: String, audience: String, keys: SessionKeyRing, clock: TimeSource = .system
    ) throws(IdentityConfigurationError) {
        current = Mutex(
            try SessionTokenIssuer(
                issuer: issuer, audience: audience, keys: keys, lifetime: .thirtyDays, clock: clock)
        )
        self.clock = clock
    }

    /// The issuer with today's keys: a value, so that a request works with one ring from its beginning to its end.
    var issuer: SessionTokenIssuer { current.withLock { $0 } }

    func issue(subject: String, sessionID: String) throws(TokenError) -> IssuedSessionToken {
        try issuer.issue(subject: subject, sessionID: sessionID)
    }

    func verify(_ token: BearerToken) throws(TokenError) -> VerifiedSession {
        try issuer.verify(token)
    }

    /// Takes another ring: the next one after a rotation.
    func use(_ keys: SessionKeyRing) throws(IdentityConfigurationError) {
        let next = try issuer.using(keys)
        current.withLock { $0 = next }
    }

    /// Unix time, in seconds. The clock is bounded far inside 64 bits.
    func now() -> Int64 { Int64(exactly: clock.now().secondsSince1970.rounded(.down)) ?? 0 }
}
