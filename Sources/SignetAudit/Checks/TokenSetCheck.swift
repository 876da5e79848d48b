// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// A compact JWS under a JWK set, of public keys or of secrets.
struct TokenSetCheck: Sendable {
    let set: [UInt8]
    let isPublic: Bool
    let token: String

    func observation() -> AuditObservation {
        let verifier: JWSVerifier
        do throws(KeyError) {
            verifier =
                isPublic
                ? JWSVerifier(keys: try KeySet(jwks: set, rsaAlgorithm: nil))
                : try JWSVerifier(hmacKeys: HMACKeySet(jwks: set))
        } catch {
            return AuditObservation(error)
        }
        return TokenCheck.observation(verifier, token: token, payload: nil)
    }
}
