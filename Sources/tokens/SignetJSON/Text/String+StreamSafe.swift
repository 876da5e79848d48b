// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension String {
    /// Whether at most 30 combining characters stand in a row: the Stream-Safe Text Format (UAX
    /// #15, section 13). Swift normalises what it hashes and compares, in time quadratic in the
    /// length of the run: a header of 64 KiB took seconds, and any type that is decoded by its
    /// names would pay again.
    package var isStreamSafe: Bool {
        var run = 0
        for scalar in unicodeScalars {
            run = scalar.isCombining ? run &+ 1 : 0
            if run > 30 { return false }
        }
        return true
    }
}

extension Unicode.Scalar {
    fileprivate var isCombining: Bool {
        switch value {
        case 0..<0x300: false
        // The three whose own class is 0 and whose decomposition has combining characters only.
        case 0xf73, 0xf75, 0xf81: true
        default: properties.canonicalCombiningClass != .notReordered
        }
    }
}
