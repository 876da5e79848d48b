// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Text from octets that must already be UTF-8: nothing is repaired.
enum UTF8Text {
    /// The text; nil for octets that are not UTF-8.
    static func string(_ octets: Span<UInt8>) -> String? {
        guard !octets.isEmpty else { return "" }
        do throws(UTF8.ValidationError) {
            return String(copying: try UTF8Span(validating: octets))
        } catch {
            return nil
        }
    }
}
