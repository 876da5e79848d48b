// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// A published JWT: its signature, and what its claims must lead to at a time that the vector fixes (the published
/// ones all expired years ago).
struct ClaimsCheck: Sendable {
    let token: TokenCheck
    let issuer: String
    /// Seconds since 1970.
    let expiration: Int

    func observation() -> AuditObservation {
        let signature = token.observation()
        guard signature == .accepted, let key = token.keys.first else { return signature }
        do throws(KeyError) {
            return try observation(BoundKey(JWK(key.jwk), key.algorithm))
        } catch {
            return AuditObservation(error)
        }
    }

    private func observation(_ key: BoundKey) throws(KeyError) -> AuditObservation {
        let end = Double(expiration)
        guard try refusal(key, at: end - 1) == nil else {
            return .differed("refused a second before it expires")
        }
        guard try refusal(key, at: end) == .expired else {
            return .differed("not refused when it expires")
        }
        guard try refusal(key, at: end - 1, issuer: issuer + "/") == .issuerMismatch else {
            return .differed("not refused for another issuer")
        }
        // The published tokens have no audience.
        guard try refusal(key, at: end - 1, audience: .anyOf(["anybody"])) == .claimMissing else {
            return .differed("not refused for an audience that it does not name")
        }
        return .accepted
    }

    /// Why a verifier with a clock that stands still refuses the token; nil when it does not.
    private func refusal(
        _ key: BoundKey, at seconds: Double, issuer: String? = nil,
        audience: TokenPolicy.AudienceRule = .notChecked
    ) throws(KeyError) -> TokenError.Code? {
        do throws(TokenError) {
            let policy = try TokenPolicy(
                issuer: .exactly(issuer ?? self.issuer), audience: audience, leeway: .zero,
                clock: .fixed(secondsSince1970: seconds))
            let verified = try verifier(key, policy).verify(token.token)
            return verified.registered.issuer == self.issuer ? nil : .claimInvalid
        } catch {
            return error.code
        }
    }

    private func verifier(_ key: BoundKey, _ policy: TokenPolicy) throws(TokenError)
        -> TokenVerifier
    {
        switch key {
        case .publicKey(let key): return TokenVerifier(key: key, policy: policy)
        case .secret(let key):
            do throws(KeyError) {
                return try TokenVerifier(hmacKey: key, policy: policy)
            } catch {
                throw TokenError(.invalidPolicy, error.message)
            }
        }
    }
}
