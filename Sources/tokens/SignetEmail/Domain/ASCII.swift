// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Octets by name and class. Only A…Z are folded: `lowercased()` turns the Kelvin sign into a k.
enum ASCII {
    static let space: UInt8 = 0x20
    static let quote: UInt8 = 0x22
    static let numberSign: UInt8 = 0x23
    static let asterisk: UInt8 = 0x2a
    static let hyphen: UInt8 = 0x2d
    static let dot: UInt8 = 0x2e
    static let slash: UInt8 = 0x2f
    static let at: UInt8 = 0x40
    static let bracket: UInt8 = 0x5b
    static let backslash: UInt8 = 0x5c

    static func isControl(_ octet: UInt8) -> Bool { octet < 0x20 || octet == 0x7f }

    /// `atext` of RFC 5322, section 3.2.3.
    static func isAtomText(_ octet: UInt8) -> Bool {
        switch octet {
        // ! # $ % & ' * + - / = ? ^ _ ` { | } ~
        case 0x21, 0x23...0x27, 0x2a, 0x2b, 0x2d, 0x2f, 0x3d, 0x3f, 0x5e...0x60, 0x7b...0x7e: true
        default: octet.isLetter || octet.isDigit
        }
    }

    static func isRouting(_ octet: UInt8) -> Bool { octet == 0x25 || octet == 0x21 }

    static func isParenthesis(_ octet: UInt8) -> Bool { octet == 0x28 || octet == 0x29 }
}
