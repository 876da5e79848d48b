// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetMemory

/// Text from outside: a string or a name of a document, compared by its bytes.
///
/// It deliberately has no `==`, no hash and matches no pattern. Swift treats canonically equivalent
/// strings as equal ("é" in either form, the Kelvin sign and "K"); JOSE compares code points (RFC
/// 7515, section 10.13). Swift also normalises what it compares, hashes or searches, in time
/// quadratic in a run of combining characters: an `alg` of 12 KB took half a second, before the
/// signature was checked.
///
/// **Not** checked: what the text means, and its length: look at ``byteCount`` first.
public struct ReceivedText: Sendable {
    /// The longest unverified text, in bytes, that callers get as a `String`. The limit bounds the
    /// cost of whatever comparison they make.
    package static let maximumUnverifiedByteCount = 1_024

    /// UTF-8, in the bytes of the document unless it had to be unescaped.
    public let utf8: ArraySlice<UInt8>

    /// A text that did not come in a document.
    ///
    /// - Parameter utf8: well-formed UTF-8; other bytes become U+FFFD in ``swiftString()``.
    public init(utf8: ArraySlice<UInt8>) { self.utf8 = utf8 }

    /// A text of Signet's own or a caller's, to compare with.
    package init(_ text: String) { utf8 = Array(text.utf8)[...] }

    /// The length of the text's UTF-8, in bytes.
    public var byteCount: Int { utf8.count }

    /// Whether the text has no bytes.
    public var isEmpty: Bool { utf8.isEmpty }

    /// Whether the two texts have the same bytes.
    package func isEqual(to other: ReceivedText) -> Bool {
        bytesAreEqual(utf8.span, other.utf8.span)
    }

    /// Whether the two texts have the same bytes.
    public func isEqual(to text: String) -> Bool { bytesAreEqual(utf8.span, text.utf8.span) }

    /// Whether the text equals a text of the list.
    package func isOne(of texts: [String]) -> Bool { texts.contains { isEqual(to: $0) } }

    /// The key of the text in a dictionary or a set.
    package var key: Key { Key(utf8: utf8) }

    /// Hashed and compared by its bytes. Swift seeds its hash for each process, so no document can
    /// be made to collide.
    package struct Key: Hashable, Sendable {
        fileprivate let utf8: ArraySlice<UInt8>

        package static func == (a: Key, b: Key) -> Bool { bytesAreEqual(a.utf8.span, b.utf8.span) }

        package func hash(into hasher: inout Hasher) { hasher.combine(utf8.span) }
    }

    /// The text as a `String`, to be handed out or shown, and **not** to be compared, hashed or
    /// searched: that takes time that is quadratic in a run of combining characters, so bound its
    /// length first. There is no second way to a `String`: Scripts/received-text.txt lists the
    /// callers in Signet, and why.
    public func swiftString() -> String { String(decoding: utf8, as: UTF8.self) }
}
