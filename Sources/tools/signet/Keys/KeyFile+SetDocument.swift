// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

extension KeyFile {
    /// A JWK set or a bare array of JWKs, before it is known what it will be used for.
    struct SetDocument {
        let bytes: [UInt8]
        let root: JSONNode

        var members: [JSONNode] {
            let list = root.kind == .array ? root : root.member("keys")
            return list.map { Array($0.elements) } ?? []
        }

        /// Whether it is a set of secrets. A single symmetric key is enough: a set with keys of
        /// both kinds is then refused.
        var isSymmetric: Bool {
            members.contains { $0.member("kty")?.text?.isEqual(to: "oct") == true }
        }

        /// Whether a member has a private or a symmetric half, usable or not.
        var holdsSecret: Bool {
            members.contains { $0.member("d") != nil || $0.member("k") != nil }
        }

        /// The usable public keys. Reports on standard error which keys are left out.
        ///
        /// - Parameter algorithm: for RSA keys that name none; nil means RS256, as in OpenID
        ///   Connect.
        func publicKeys(algorithm: String?) throws -> KeySet {
            let set = try KeySet(
                jwks: bytes, rsaAlgorithm: try KeyFile.signature(algorithm) ?? .rs256)
            Output.leftOut(set.skipped)
            return set
        }

        /// The usable secrets. Reports on standard error which are left out.
        func secrets(algorithm: String?) throws -> HMACKeySet {
            let set = try HMACKeySet(jwks: bytes, algorithm: try KeyFile.hmac(algorithm))
            Output.leftOut(set.skipped)
            return set
        }
    }
}
