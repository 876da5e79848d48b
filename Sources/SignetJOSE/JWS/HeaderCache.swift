// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge

/// The headers that have verified before, by their exact encoded bytes: an issuer uses the same few again and again.
///
/// Only a header whose token has verified gets in, so that forged headers cannot push the good ones out. It saves the
/// parsing and nothing else: key, signature and claims are checked each time.
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

    private static let capacity = 8
    private let entries = Locked<[Entry]>([])

    func find(_ encoded: Span<UInt8>) -> Entry? {
        // One reference is taken under the lock; the comparison runs outside it.
        let snapshot = entries.withLock { $0 }
        for entry in snapshot where entry.isFor(encoded) { return entry }
        return nil
    }

    func insert(_ encoded: Span<UInt8>, header: TokenHeader, keyPosition: Int) {
        let entry = Entry(encoded: encoded.copied(), header: header, keyPosition: keyPosition)
        entries.withLock { entries in
            // Threads that met the header at the same moment would each push another one out.
            if entries.contains(where: { $0.encoded == entry.encoded }) { return }
            if entries.count >= Self.capacity { entries.removeFirst() }
            entries.append(entry)
        }
    }
}
