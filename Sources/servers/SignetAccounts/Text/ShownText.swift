// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension Unicode.Scalar {
    /// Whether the scalar leaves the text around it as it is: no control (C0, DEL and C1), no end
    /// of a line or paragraph, and nothing invisible that turns the direction of writing.
    var isShownInLine: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        // An emoji's joiner stays, and what Persian and Indic spelling keeps apart.
        case .format: self == "\u{200d}" || self == "\u{200c}"
        default: true
        }
    }
}
