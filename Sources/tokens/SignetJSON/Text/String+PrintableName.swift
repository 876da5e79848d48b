// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension String {
    /// A name from outside, fit for a line of a log: no control characters, nothing past ASCII, and
    /// at most 64 characters.
    package var printableName: String {
        let scalars = unicodeScalars.prefix(64)
        return String(
            String.UnicodeScalarView(
                scalars.map { (0x20..<0x7f).contains($0.value) ? $0 : "?" as Unicode.Scalar }))
    }
}
