// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetMemory
internal import SignetPlatform

/// The first few headers of tokens that the keys of one ring have verified. An issuer writes the
/// same ones on all of its tokens, and reading one takes as long as a sixth of a verification.
///
/// Only a good signature brings a header in, and none is ever replaced: tokens of others change
/// nothing here. No caller waits: a header that is not found at once is read.
final class KnownHeaders: Sendable {
    private static var capacity: Int { 4 }
    private static var maximumByteCount: Int { 1_024 }

    private let entries = Locked<[KnownHeader]>([])

    /// What was found for a header of exactly these bytes.
    func find(_ text: Span<UInt8>) -> KnownHeader? {
        guard let entries = entries.withLockIfFree({ $0 }) else { return nil }
        for entry in entries {
            let known = entry.text
            if bytesAreEqual(known.span, text) { return entry }
        }
        return nil
    }

    /// Keeps a header with whose key a signature was found good.
    func keep(
        _ text: Span<UInt8>, _ header: JSONNode, _ algorithm: JWSAlgorithm, _ key: SignatureKey
    ) {
        guard text.count <= Self.maximumByteCount else { return }
        let text = text.copied()
        _ = entries.withLockIfFree { entries in
            guard entries.count < Self.capacity, !entries.contains(where: { $0.text == text })
            else { return }
            entries.append(
                KnownHeader(text: text, header: header, algorithm: algorithm, key: key))
        }
    }
}

/// A header and what it names.
final class KnownHeader: Sendable {
    /// As it stands in the token, encoded.
    let text: [UInt8]
    let header: JSONNode
    let algorithm: JWSAlgorithm
    let key: SignatureKey

    init(text: [UInt8], header: JSONNode, algorithm: JWSAlgorithm, key: SignatureKey) {
        self.text = text
        self.header = header
        self.algorithm = algorithm
        self.key = key
    }
}
