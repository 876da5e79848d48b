// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetJSON

/// Base64 of the standard alphabet (RFC 4648, section 4), over the public base64url of `SignetJSON`:
/// two characters differ, and the padding.
package enum Base64Text {
    /// The text of some bytes, with padding.
    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        let text = Base64URL.encode(bytes).utf8.map { character in
            switch character {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: character
            }
        }
        let padding = repeatElement(UInt8(ascii: "="), count: (3 - bytes.count % 3) % 3)
        return String(decoding: text + padding, as: UTF8.self)
    }

    /// The bytes of a text with its padding, or without any; nil for anything else. The array is
    /// allocated once, so a caller that wipes it leaves no copy.
    static func decode(_ text: Span<UInt8>) -> [UInt8]? {
        let equals = UInt8(ascii: "=")
        var end = text.count
        while text.count % 4 == 0, end > 0, text.count - end < 2, text[end - 1] == equals {
            end -= 1
        }
        guard end % 4 != 1 else { return nil }
        var bytes = [UInt8]()
        bytes.reserveCapacity(end * 3 / 4)
        var isGood = true
        var bits: UInt32 = 0
        var bitCount = 0  // of `bits`, those that are in no byte yet
        for index in 0..<end {
            let value = alphabet.firstIndex(of: text[index])
            isGood = isGood && value != nil
            bits = bits << 6 | UInt32(truncatingIfNeeded: value ?? 0)
            bitCount += 6
            guard bitCount >= 8 else { continue }
            bitCount -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
        }
        // What is left over must be zero: a value has one text.
        if isGood, bits & ((1 << UInt32(bitCount)) - 1) == 0 { return bytes }
        SecretBytes.wipe(&bytes)
        return nil
    }

    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
}
