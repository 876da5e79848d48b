// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Identifiers as a person reads them.
enum Hexadecimal {
    static func text(of octets: [UInt8]) -> String {
        var text = ""
        text.reserveCapacity(octets.count * 2)
        for octet in octets {
            if octet < 16 { text.append("0") }
            text += String(octet, radix: 16)
        }
        return text
    }
}
