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

    /// The `kid`s of usable keys that `other` lacks, or under which `other` has a different key.
    func keyIDs(notIn other: KeySnapshot?) -> [String] {
        let known = Set((other?.keys.keys ?? []).compactMap(Name.init))
        return keys.keys.filter { key in Name(key).map { !known.contains($0) } ?? false }
            .compactMap(\.keyID)
    }

    /// A key under its `kid`. Nil for a key without `kid`.
    private struct Name: Hashable {
        let keyID: ReceivedText.Key
        /// Nil if libcrypto could not compute it.
        let thumbprint: String?

        init?(_ key: VerificationKey) {
            guard let name = key.keyID else { return nil }
            keyID = ReceivedText(name).key
            thumbprint = try? key.jwk.thumbprint()
        }
    }
}
