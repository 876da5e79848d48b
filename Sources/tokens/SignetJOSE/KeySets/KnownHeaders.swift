// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJSON
internal import SignetMemory
internal import Synchronization

/// The first four headers that came with a valid token, so that the same header need not be read
/// again: an issuer repeats its headers, and reading one takes a sixth of verifying a signature and
/// a quarter of opening a small encrypted token. No header is replaced, so tokens of further issuers
/// change nothing. No thread waits.
final class KnownHeaders<Reading: Sendable>: Sendable {
    /// A longer header is not remembered.
    private static var maximumByteCount: Int { 1_024 }

    /// Filled from the first on.
    private let headers = InlineArray<4, AtomicLazyReference<KnownHeader<Reading>>> { _ in
        AtomicLazyReference()
    }

    func find(_ text: Span<UInt8>) -> KnownHeader<Reading>? {
        for i in headers.indices {
            guard let known = headers[i].load() else { return nil }
            let knownText = known.text
            if bytesAreEqual(knownText.span, text) { return known }
        }
        return nil
    }

    func remember(_ header: KnownHeader<Reading>) {
        guard header.text.count <= Self.maximumByteCount else { return }
        for i in headers.indices {
            // The first that is free, unless another thread has stored the same header there.
            if headers[i].storeIfNil(header).text == header.text { return }
        }
    }
}

/// Without this, `dump` of a verifier ends the program: the runtime copies the array, whose elements
/// have no copies, if its type is generic (Swift 6.3).
extension KnownHeaders: CustomReflectable {
    var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

/// A header as tokens encode it, and what reading it gave.
final class KnownHeader<Reading: Sendable>: Sendable {
    let text: [UInt8]
    let reading: Reading

    init(_ text: Span<UInt8>, reading: Reading) {
        self.text = text.copied()
        self.reading = reading
    }
}

/// What the header of a signed token says, and the key that it names.
struct SignedHeader {
    let root: JSONNode
    let algorithm: JWSAlgorithm
    let key: SignatureKey
}
