// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge

/// The headers that have verified before, by their exact encoded bytes: an issuer uses the same few again and again.
///
/// Only a header whose token has verified gets in, and none is ever pushed out: the first few stay, which forged or
/// ever-changing headers cannot alter. It saves the parsing and nothing else: key, signature and claims are checked
/// each time. There is no lock: a place is written once, in one atomic step.
final class HeaderCache: Sendable {
    /// A class, so that finding one costs one reference and not those of all the texts in a header.
    final class Entry: Sendable {
        let encoded: [UInt8]
        let header: TokenHeader
        /// The place of the key in the verifier's own, immutable list.
        let keyPosition: Int

        init(encoded: [UInt8], header: TokenHeader, keyPosition: Int) {
            self.encoded = encoded
            self.header = header
            self.keyPosition = keyPosition
        }

        func isFor(_ encoded: Span<UInt8>) -> Bool {
            let own = self.encoded
            return bytesAreEqual(own.span, encoded)
        }
    }

    private let places = InlineArray<16, SetOnce<Entry>> { _ in SetOnce() }

    func find(_ encoded: Span<UInt8>) -> Entry? {
        for index in places.indices {
            // They are filled from the first on.
            guard let entry = places[index].load() else { return nil }
            if entry.isFor(encoded) { return entry }
        }
        return nil
    }

    func insert(_ encoded: Span<UInt8>, header: TokenHeader, keyPosition: Int) {
        guard places[places.count - 1].load() == nil else { return }
        let entry = Entry(encoded: encoded.copied(), header: header, keyPosition: keyPosition)
        for index in places.indices {
            let stored = places[index].storeIfNil(entry)
            // Another thread may have been faster with the same header.
            if stored === entry || stored.isFor(encoded) { return }
        }
    }
}
