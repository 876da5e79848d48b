// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension JWKSetDocument {
    /// The array of keys: the member `keys` (RFC 7517, section 5), or the document itself where it
    /// is a bare array that begins with a JWK, as people keep their own keys. An issuer publishes
    /// the standard's form.
    static func memberArray(
        in root: JSONNode, acceptsBareArray: Bool
    ) throws(KeyError) -> JSONNode {
        if root.kind == .object, let keys = root.member("keys"), keys.kind == .array { return keys }
        if acceptsBareArray, isBareArray(root) { return root }
        throw KeyError(
            .malformed,
            root.kind == .array
                ? "The key set is an array alone: put it into an object, {\"keys\": […]}."
                : "A JWK set is a JSON object with an array \"keys\".")
    }

    /// Whether the document is an array whose first element is an object with `kty`, as a JWK is.
    static func isBareArray(_ root: JSONNode) -> Bool {
        root.kind == .array && root.elements.first { _ in true }?.member("kty") != nil
    }
}
