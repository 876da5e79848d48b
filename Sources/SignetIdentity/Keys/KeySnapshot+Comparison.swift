// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge
internal import SignetJOSE

extension KeySnapshot {
    /// Whether a fetch has brought what is here already: the same keys, skipped members and issuers.
    func holdsSame(as other: PublishedKeys) -> Bool {
        guard let mine = try? keys.jwksJSON(), let others = try? other.keys.jwksJSON() else {
            return false
        }
        return bytesAreEqual(mine.utf8.span, others.utf8.span)
            && keys.skipped.elementsEqual(other.keys.skipped) { a, b in
                a.index == b.index && a.reason == b.reason
                    && ReceivedText(a.keyID ?? "").isEqual(to: b.keyID ?? "")
            }
            && issuers.hasSame(as: other.issuers) { $0.isEqual(to: $1) }
    }

    /// The `kid`s of usable keys that `other` does not have.
    func keyIDs(notIn other: KeySnapshot?) -> [String] {
        var known = ReceivedTextTable<Void>()
        for key in other?.keys.keys ?? [] { if let keyID = key.keyID { known[keyID] = () } }
        return keys.keys.compactMap(\.keyID).filter { known[$0] == nil }
    }
}
