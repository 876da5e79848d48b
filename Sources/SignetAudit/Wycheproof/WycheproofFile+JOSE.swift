// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

extension WycheproofFile {
    /// The group's `public` is the key to verify with; groups of symmetric keys have `private` only. The key's own
    /// `alg` is the caller's algorithm, else the one that its curve implies.
    func token(_ test: WycheproofTest) throws(AuditError) -> Check {
        let key = try verificationKey(test)
        let check = TokenCheck(
            keys: [TokenCheck.Key(jwk: Array(key.rawBytes), algorithm: nil)],
            token: try test.object.string("jws"), payload: nil)
        return Check(key.member("alg")?.stringValue ?? "JWS, key without alg") {
            check.observation()
        }
    }

    func keySet(_ test: WycheproofTest) throws(AuditError) -> Check {
        let check = TokenSetCheck(
            set: Array(try verificationKey(test).rawBytes), isPublic: test.group.has("public"),
            token: try test.object.string("jws"))
        return Check("JWK set") { check.observation() }
    }

    private func verificationKey(_ test: WycheproofTest) throws(AuditError) -> JSONNode {
        try test.group.node(test.group.has("public") ? "public" : "private")
    }
}
