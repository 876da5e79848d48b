// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetMemory

/// Text from outside: a string or a name of a document, compared by its bytes.
///
/// It has no `==`, no hash and matches no pattern, on purpose. Swift takes canonically equivalent
/// strings for equal ("é" in either form, the Kelvin sign and "K"), where JOSE compares code points
/// (RFC 7515, section 10.13). And it normalises what it compares, hashes or searches, which takes
/// the square of the length of a run of combining characters: an `alg` of 12 KB took half a second,
/// before anybody looked at the signature.
package struct ReceivedText: Sendable {
    /// The longest text that is handed to callers as a `String` before it was verified, in bytes.
    /// They may compare it as they like: what that costs is bounded.
    package static let maximumUnverifiedByteCount = 1_024

    /// UTF-8, in the bytes of the document unless it had to be unescaped.
    package let utf8: ArraySlice<UInt8>

    /// - Parameter utf8: well-formed UTF-8.
    package init(utf8: ArraySlice<UInt8>) { self.utf8 = utf8 }

    /// A text of our own or a caller's, which others are looked up by or compared with.
    package init(_ text: String) { utf8 = Array(text.utf8)[...] }

    package var byteCount: Int { utf8.count }

    package var isEmpty: Bool { utf8.isEmpty }

    /// Whether both have the same bytes.
    package func isEqual(to other: ReceivedText) -> Bool {
        bytesAreEqual(utf8.span, other.utf8.span)
    }

    /// Whether both have the same bytes.
    package func isEqual(to text: String) -> Bool { bytesAreEqual(utf8.span, text.utf8.span) }

    /// Whether it is one of these.
    package func isOne(of texts: [String]) -> Bool { texts.contains { isEqual(to: $0) } }

    /// To look it up by, in a dictionary or a set.
    package var key: Key { Key(utf8: utf8) }

    /// Hashed and compared by its bytes. Swift seeds its hash for each process, so no document can
    /// be made to collide.
    package struct Key: Hashable, Sendable {
        fileprivate let utf8: ArraySlice<UInt8>

        package static func == (a: Key, b: Key) -> Bool { bytesAreEqual(a.utf8.span, b.utf8.span) }

        package func hash(into hasher: inout Hasher) { hasher.combine(utf8.span) }
    }

    /// As a `String`, to be handed out or shown, and not to be compared. There is no other way, and
    /// Scripts/received-text.txt lists who goes it, and why they may.
    package func swiftString() -> String { String(decoding: utf8, as: UTF8.self) }
}
