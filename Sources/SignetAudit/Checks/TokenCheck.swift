// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// A compact JWS under a key, or under each of several keys when the token names none.
struct TokenCheck: Sendable {
    /// A key, and what the caller knows about it.
    struct Key: Sendable {
        let jwk: [UInt8]
        /// The algorithm, when the key does not say its own; nil takes the one that the key implies.
        let algorithm: String?
    }

    /// The first answer that is not a rejection counts.
    let keys: [Key]
    let token: String
    /// Nil when the publisher gives none.
    let payload: [UInt8]?

    func observation() -> AuditObservation {
        var last = AuditObservation.failed("the vector has no key")
        for key in keys {
            last = observation(key)
            guard case .rejected = last else { return last }
        }
        return last
    }

    private func observation(_ key: Key) -> AuditObservation {
        let verifier: JWSVerifier
        do throws(KeyError) {
            verifier = try Self.verifier(JWK(key.jwk), key.algorithm)
        } catch {
            return AuditObservation(error)
        }
        return Self.observation(verifier, token: token, payload: payload)
    }

    /// What a verifier makes of a token; a token that it accepts must no longer verify with one bit changed.
    static func observation(_ verifier: JWSVerifier, token: String, payload: [UInt8]?)
        -> AuditObservation
    {
        do throws(TokenError) {
            let verified = try verifier.verify(token)
            if let payload, verified.payload != payload {
                return .differed("another payload came out")
            }
        } catch {
            return AuditObservation(error)
        }
        guard let altered = altered(token) else {
            return .differed("a token without a base64url signature was accepted")
        }
        do throws(TokenError) {
            _ = try verifier.verify(altered)
            return .differed("a changed signature was accepted")
        } catch {
            return error.code == .signatureInvalid
                ? .accepted : .differed("a changed signature: \(error)")
        }
    }

    /// One algorithm for one key: a token's header must never choose it.
    private static func verifier(_ key: JWK, _ algorithm: String?) throws(KeyError) -> JWSVerifier {
        switch try BoundKey(key, algorithm) {
        case .secret(let key): try JWSVerifier(hmacKey: key)
        case .publicKey(let key): JWSVerifier(key: key)
        }
    }

    private static func altered(_ token: String) -> String? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let signature = try? Base64URL.decode(parts[2]), !signature.isEmpty
        else {
            return nil
        }
        return "\(parts[0]).\(parts[1]).\(Base64URL.encode(signature.altered))"
    }
}
