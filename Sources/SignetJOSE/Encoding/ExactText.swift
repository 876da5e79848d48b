// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge

/// Text that is compared byte for byte. Swift's `==` takes canonically equivalent strings for equal ("é" in either
/// form, the Kelvin sign and "K"), and so do its dictionaries; JOSE compares code points (RFC 7515, section 10.13).
package struct ExactText: Hashable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (a: ExactText, b: ExactText) -> Bool { areEqual(a.text, b.text) }

    // Of the bytes: a string's own hash takes quadratic time for a long run of combining characters.
    package func hash(into hasher: inout Hasher) { hasher.combine(text.utf8.span) }

    package static func areEqual(_ a: String, _ b: String) -> Bool { bytesAreEqual(a.utf8.span, b.utf8.span) }
}

extension String {
    /// A name that somebody else chose, fit for a line of a log: no control characters, nothing past ASCII, and at
    /// most 64 characters.
    package var printableName: String {
        let scalars = unicodeScalars.prefix(64)
        return String(
            String.UnicodeScalarView(
                scalars.map { (0x20..<0x7f).contains($0.value) ? $0 : "?" as Unicode.Scalar }))
    }
}
