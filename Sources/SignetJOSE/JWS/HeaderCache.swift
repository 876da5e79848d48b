// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge

/// The headers that have verified before, by their exact encoded bytes: an issuer uses the same few again and again.
///
/// Only a header whose token has verified gets in, and none is ever pushed out: the first few stay, which forged or
/// ever-changing headers cannot alter. It saves the parsing and nothing else: key, signature and claims are checked
/// each time. There is no lock: a place is written once, in one atomic step.
final class HeaderCache: Sendable {
    final class Entry: Sendable {
        private let encoded: [UInt8]
        /// What the verifier's own, immutable keys have for it.
        let key: SignatureKey
        let keyID: VerifiedKeyID
        private let headers: TokenHeader.Copies

        init(encoded: [UInt8], header: TokenHeader, key: SignatureKey, keyID: VerifiedKeyID) {
            self.encoded = encoded
            self.key = key
            self.keyID = keyID
            headers = TokenHeader.Copies(of: header)
        }

        /// The header, for the calling thread to give out.
        var header: TokenHeader { headers.current }

        func isFor(_ encoded: Span<UInt8>) -> Bool {
            let own = self.encoded
            return bytesAreEqual(own.span, encoded)
        }
    }

    private let places = InlineArray<16, SetOnce<Entry>> { _ in SetOnce() }

    private enum Look<Answer> {
        case answer(Answer)
        case isOther
    }

    /// Calls `body` with what is known of a header, of which no reference is counted; nil when nothing is.
    @inline(__always)
    func use<Answer>(_ encoded: Span<UInt8>, _ body: (Entry) -> Answer) -> Answer? {
        for index in places.indices {
            // They are filled from the first on.
            let look = places[index].use { entry -> Look<Answer> in
                entry.isFor(encoded) ? .answer(body(entry)) : .isOther
            }
            switch look {
            case nil: return nil
            case .isOther: continue
            case .answer(let answer): return answer
            }
        }
        return nil
    }

    func insert(_ encoded: Span<UInt8>, header: TokenHeader, key: SignatureKey, keyID: VerifiedKeyID) {
        guard places[places.count - 1].load() == nil else { return }
        let entry = Entry(encoded: encoded.copied(), header: header, key: key, keyID: keyID)
        for index in places.indices {
            let stored = places[index].storeIfNil(entry)
            // Another thread may have been faster with the same header.
            if stored === entry || stored.isFor(encoded) { return }
        }
    }
}
