// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetMemory
internal import Synchronization

/// The first four headers that came with a valid signature, so that ``SignatureChecker`` need not
/// read the same header again: an issuer repeats its headers, and reading a header takes a sixth of
/// a verification. No header is replaced, so tokens of further issuers change nothing. No thread
/// waits.
final class KnownHeaders: Sendable {
    /// A longer header is not remembered.
    private static let maximumByteCount = 1_024

    /// Filled from the first on.
    private let headers = InlineArray<4, AtomicLazyReference<KnownHeader>> { _ in
        AtomicLazyReference()
    }

    func find(_ text: Span<UInt8>) -> KnownHeader? {
        for i in headers.indices {
            guard let known = headers[i].load() else { return nil }
            let knownText = known.text
            if bytesAreEqual(knownText.span, text) { return known }
        }
        return nil
    }

    func remember(_ header: KnownHeader) {
        guard header.text.count <= Self.maximumByteCount else { return }
        for i in headers.indices {
            // The first that is free, unless another thread has stored the same header there.
            if headers[i].storeIfNil(header).text == header.text { return }
        }
    }
}

/// A header as tokens encode it, and the result of reading it.
final class KnownHeader: Sendable {
    let text: [UInt8]
    let root: JSONNode
    let algorithm: JWSAlgorithm
    let key: SignatureKey

    init(_ text: Span<UInt8>, root: JSONNode, algorithm: JWSAlgorithm, key: SignatureKey) {
        self.text = text.copied()
        self.root = root
        self.algorithm = algorithm
        self.key = key
    }
}
