// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Text inside XML and HTML.
enum Markup {
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\t", "\n": escaped += " "
            // XML 1.0 cannot represent the other control characters, nor these two.
            case _ where scalar.value < 0x20, "\u{fffe}", "\u{ffff}": escaped += "\u{fffd}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// Seconds with three decimals.
    static func decimal(_ seconds: Double) -> String {
        let thousandths = max(0, Int(exactly: (seconds * 1000).rounded()) ?? 0)
        let fraction = String(thousandths % 1000)
        return "\(thousandths / 1000)." + String(repeating: "0", count: 3 - fraction.count)
            + fraction
    }
}
