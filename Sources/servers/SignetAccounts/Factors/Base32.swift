// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Base32 (RFC 4648, section 6) without padding, for authenticator apps and recovery codes.
enum Base32 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    /// Upper case, without padding.
    static func text(of bytes: some Sequence<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        // The bits that are not written yet are the last `count` of `bits`.
        var bits = UInt32(0)
        var count = UInt32(0)
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 5 {
                count -= 5
                text.append(alphabet[Int(bits >> count & 31)])
            }
            bits &= 0xff
        }
        if count > 0 { text.append(alphabet[Int(bits << (5 - count) & 31)]) }
        return text
    }

    /// The bytes of a text in either case; nil for a foreign character, an impossible length or
    /// bits at the end that are not zero.
    static func bytes(of text: some Sequence<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        // The bits that are not written yet are the last `count` of `bits`.
        var bits = UInt32(0)
        var count = UInt32(0)
        var length = 0
        for character in text {
            guard let value = value(of: character.inLowerCase) else { return nil }
            bits = bits << 5 | value
            count += 5
            length &+= 1
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> count))
                bits &= (1 << count) - 1
            }
        }
        // The last group of a text has 2, 4, 5, 7 or 8 characters, for 1 to 5 bytes.
        return bits == 0 && ![1, 3, 6].contains(length % 8) ? bytes : nil
    }

    private static func value(of character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a"))
        case UInt8(ascii: "2")...UInt8(ascii: "7"): UInt32(character - UInt8(ascii: "2") + 26)
        default: nil
        }
    }
}
