// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

extension Check {
    /// A body in which key errors are rejections.
    static func keys(_ body: @escaping @Sendable () throws(KeyError) -> AuditObservation) -> Body {
        {
            do throws(KeyError) {
                return try body()
            } catch {
                return AuditObservation(error)
            }
        }
    }

    /// A compact JWS under a key, or under each of several keys if the token names none: the first
    /// answer that is not a rejection counts.
    ///
    /// - Parameters:
    ///   - keys: each with an algorithm for a key that does not name its own; nil means the
    ///     algorithm that the key implies.
    ///   - payload: nil if the publisher gives none.
    static func token(
        _ token: String, keys: [(jwk: [UInt8], algorithm: String?)], payload: [UInt8]?
    ) -> Body {
        {
            var last = AuditObservation.failed("the vector has no key")
            for key in keys {
                last = observation(token, payload: payload) { () throws(KeyError) in
                    // One algorithm for one key: a token's header must never choose it.
                    switch try AuditKey(JWK(key.jwk), algorithm: key.algorithm) {
                    case .secret(let key): try JWSVerifier(hmacKey: key)
                    case .publicKey(let key): JWSVerifier(key: key)
                    }
                }
                guard case .rejected = last else { return last }
            }
            return last
        }
    }

    /// A verifier's result for a token. An accepted token must no longer verify with one bit
    /// changed.
    static func observation(
        _ token: String, payload: [UInt8]?, _ verifier: () throws(KeyError) -> JWSVerifier
    ) -> AuditObservation {
        let made: JWSVerifier
        do {
            made = try verifier()
        } catch {
            return AuditObservation(error)
        }
        do {
            let verified = try made.verify(token)
            if let payload, verified.payload != payload {
                return .differed("another payload came out")
            }
        } catch {
            return AuditObservation(error)
        }
        guard let altered = altered(token) else {
            return .differed("a token without a base64url signature was accepted")
        }
        do {
            _ = try made.verify(altered)
            return .differed("a changed signature was accepted")
        } catch {
            return error.code == .signatureInvalid
                ? .accepted : .differed("a changed signature: \(error)")
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
