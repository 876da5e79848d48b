// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// The required result for a published JWT's claims, at a fixed time.
struct ClaimsCheck: Sendable {
    let token: String
    let issuer: String
    /// Seconds since 1970.
    let expiration: Double

    func observation(_ key: AuditKey) throws(KeyError) -> AuditObservation {
        guard try refusal(key, at: expiration - 1) == nil else {
            return .differed("refused a second before it expires")
        }
        guard try refusal(key, at: expiration) == .expired else {
            return .differed("not refused when it expires")
        }
        guard try refusal(key, at: expiration - 1, issuer: issuer + "/") == .issuerMismatch else {
            return .differed("not refused for another issuer")
        }
        // The published tokens have no audience.
        guard try refusal(key, at: expiration - 1, audience: .anyOf(["anybody"])) == .claimMissing
        else {
            return .differed("not refused for an audience that it does not name")
        }
        return .accepted
    }

    /// Why a verifier with a fixed clock rejects the token; nil if it does not.
    private func refusal(
        _ key: AuditKey, at seconds: Double, issuer: String? = nil,
        audience: TokenPolicy.AudienceRule = .notChecked
    ) throws(KeyError) -> TokenError.Code? {
        do {
            let policy = try TokenPolicy(
                issuer: .exactly(issuer ?? self.issuer), audience: audience, leeway: .zero,
                clock: .fixed(secondsSince1970: seconds))
            let verified = try verifier(key, policy: policy).verify(token)
            return verified.registered.issuer == self.issuer ? nil : .claimInvalid
        } catch {
            return error.code
        }
    }

    private func verifier(_ key: AuditKey, policy: TokenPolicy) throws(TokenError)
        -> TokenVerifier
    {
        switch key {
        case .publicKey(let key): return TokenVerifier(key: key, policy: policy)
        case .secret(let key):
            do {
                return try TokenVerifier(hmacKey: key, policy: policy)
            } catch {
                throw TokenError(.invalidPolicy, underlying: error, "\(messageOf: error)")
            }
        }
    }
}
