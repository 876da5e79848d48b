// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE
internal import SignetMemory

extension KeySnapshot {
    /// Whether a fetch brought the same keys, skipped members and issuers.
    func holdsSame(as other: PublishedKeys) -> Bool {
        guard let mine = try? keys.jwksJSON(), let others = try? other.keys.jwksJSON() else {
            return false
        }
        return bytesAreEqual(mine.utf8.span, others.utf8.span)
            && keys.skipped.elementsEqual(other.keys.skipped) { a, b in
                a.index == b.index && a.reason == b.reason
                    && ReceivedText(a.keyID ?? "").isEqual(to: b.keyID ?? "")
            }
            && issuers.mapValues(\.key) == other.issuers.mapValues(\.key)
    }

    /// The `kid`s of usable keys that `other` does not have.
    func keyIDs(notIn other: KeySnapshot?) -> [String] {
        let known = Set((other?.keys.keys ?? []).compactMap(\.keyID).map { ReceivedText($0).key })
        return keys.keys.compactMap(\.keyID).filter { !known.contains(ReceivedText($0).key) }
    }
}
