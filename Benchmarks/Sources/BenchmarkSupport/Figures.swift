// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How figures are written.
package enum Figures {
    package static func time(_ nanoseconds: Double) -> String {
        nanoseconds < 1000
            ? String(format: "%.0f ns", nanoseconds) : String(format: "%.2f µs", nanoseconds / 1000)
    }

    package static func ratio(_ value: Double) -> String { String(format: "%.2f ×", value) }

    /// Also where it is milliseconds or seconds.
    package static func longTime(_ nanoseconds: Double) -> String {
        if nanoseconds < 1e6 { return time(nanoseconds) }
        return nanoseconds < 1e9
            ? String(format: "%.2f ms", nanoseconds / 1e6) : String(format: "%.2f s", nanoseconds / 1e9)
    }

    package static func decimal(_ value: Double, _ places: Int) -> String {
        String(format: "%.\(places)f", value)
    }

    /// In MB of 10^6 bytes, or KB.
    package static func size(_ byteCount: Int) -> String {
        byteCount < 1_000_000
            ? String(format: "%.0f KB", Double(byteCount) / 1e3)
            : String(format: "%.1f MB", Double(byteCount) / 1e6)
    }

    /// With a space between thousands.
    package static func grouped(_ number: Int) -> String {
        var text = ""
        for (place, digit) in String(number).reversed().enumerated() {
            if place > 0, place.isMultiple(of: 3) { text.append(" ") }
            text.append(digit)
        }
        return String(text.reversed())
    }
}
