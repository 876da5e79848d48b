// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

extension KeySnapshot {
    /// Whether a fetch has brought what is here already: the same keys, skipped members and issuers.
    func holdsSame(as other: PublishedKeys) -> Bool {
        guard let mine = try? keys.jwksJSON(), let others = try? other.keys.jwksJSON() else { return false }
        return ExactText.areEqual(mine, others)
            && keys.skipped.elementsEqual(other.keys.skipped) { a, b in
                a.index == b.index && a.reason == b.reason
                    && ExactText.areEqual(a.keyID ?? "", b.keyID ?? "")
            }
            && issuers.count == other.issuers.count
            && issuers.allSatisfy { keyID, issuer in
                other.issuers[keyID].map { ExactText.areEqual($0, issuer) } ?? false
            }
    }

    /// The `kid`s of usable keys that `other` does not have.
    func keyIDs(notIn other: KeySnapshot?) -> [String] {
        let known = Set((other?.keys.keys ?? []).compactMap { $0.keyID.map { ExactText($0) } })
        return keys.keys.compactMap(\.keyID).filter { !known.contains(ExactText($0)) }
    }
}
