// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The 88 octets that bind a sealed record to its vault, its key, its place and its generation.
package enum AssociatedData {
    package static let byteCount = 88
    private static let kindOffset = 8
    private static let subjectOffset = 44
    private static let subjectByteCount = 32
    private static let generationOffset = 76

    /// Everything but kind, subject and generation: the same for all records under one key.
    static func template(vaultID: [UInt8], keyID: [UInt8]) -> [UInt8] {
        var data = [UInt8]()
        data.reserveCapacity(byteCount)
        data.append(contentsOf: VaultFormat.magic)
        data.append(contentsOf: [0, UInt8(VaultFormat.suite), 0, 0])
        data.append(contentsOf: vaultID)
        data.append(contentsOf: keyID)
        data.append(contentsOf: repeatElement(0, count: max(0, byteCount - data.count)))
        return data
    }

    /// Fills in a template.
    ///
    /// - Parameter subject: at most 32 octets; a shorter subject is right-aligned.
    /// - Returns: nil for a longer subject.
    static func make(
        _ template: [UInt8], kind: RecordKind, subject: Span<UInt8>, generation: UInt64
    ) -> [UInt8]? {
        var data = template
        // offset  size  field (VAULT-FORMAT.md, "Associated data"; * is filled in here)
        //      0     8  "SIGNETV1"
        //      8     1  kind *
        //      9     1  suite, 1
        //     10     2  0
        //     12    16  vault_id
        //     28    16  kid of the sealing key
        //     44    32  subject, right-aligned *
        //     76     8  gen, big-endian *
        //     84     4  flags, 0
        guard data.count == byteCount, subject.count <= subjectByteCount else { return nil }
        data[kindOffset] = kind.rawValue
        let first = subjectOffset + subjectByteCount - subject.count
        for index in subject.indices { data[first + index] = subject[index] }
        for index in 0..<8 {
            data[generationOffset + index] = UInt8(
                truncatingIfNeeded: generation >> (56 - 8 * UInt64(index)))
        }
        return data
    }

    /// The associated data of a record.
    package static func make(
        _ kind: RecordKind, vaultID: [UInt8], keyID: [UInt8], subject: [UInt8], generation: UInt64
    ) -> [UInt8]? {
        make(
            template(vaultID: vaultID, keyID: keyID), kind: kind, subject: subject.span,
            generation: generation)
    }
}
