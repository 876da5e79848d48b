// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

extension WycheproofFile {
    /// A compact JWS under the group's `public` key; groups of symmetric keys have only `private`.
    /// The check verifies with the key's own `alg` or, without one, with the algorithm that its
    /// curve implies.
    func token(_ test: WycheproofTest) throws(AuditError) -> Ready {
        let key = try verificationKey(test)
        let check = Check.token(
            try test.object.string("jws"), keys: [(Array(key.rawBytes), nil)], payload: nil)
        return (key.member("alg")?.stringValue ?? "JWS, key without alg", check)
    }

    /// A compact JWS under a JWK set of public keys or of secrets.
    func keySet(_ test: WycheproofTest) throws(AuditError) -> Ready {
        let set = Array(try verificationKey(test).rawBytes)
        let isPublic = test.group.has("public")
        let token = try test.object.string("jws")
        let check: AuditCase.Body = {
            Check.observation(token, payload: nil) { () throws(KeyError) in
                isPublic
                    ? JWSVerifier(keys: try KeySet(jwks: set, rsaAlgorithm: nil))
                    : try JWSVerifier(hmacKeys: HMACKeySet(jwks: set))
            }
        }
        return ("JWK set", check)
    }

    /// A compact JWE under the group's key, which names its algorithm.
    func encryptedToken(_ test: WycheproofTest) throws(AuditError) -> Ready {
        let key = try test.group.node("private")
        let algorithm = key.member("alg")?.stringValue ?? "JWE, key without alg"
        // The form with several recipients is an object.
        let token = (try? test.object.string("jwe")) ?? "an object"
        let plaintext = try? test.object.hexadecimal("pt")
        let check = Check.encryptedToken(
            token, key: Array(key.rawBytes), algorithm: algorithm, plaintext: plaintext)
        return (algorithm, check)
    }

    private func verificationKey(_ test: WycheproofTest) throws(AuditError) -> JSONNode {
        try test.group.node(test.group.has("public") ? "public" : "private")
    }
}
