// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

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

    /// The bytes of a text with its padding, or without any; nil for anything else.
    static func decode(_ text: some BidirectionalCollection<UInt8>) -> [UInt8]? {
        let isPadded = text.count % 4 == 0
        let padding = isPadded ? text.suffix(2).count { $0 == UInt8(ascii: "=") } : 0
        let characters = text.dropLast(padding).map { character in
            switch character {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            // Of the other alphabet: in neither.
            case UInt8(ascii: "-"), UInt8(ascii: "_"): UInt8(ascii: "=")
            default: character
            }
        }
        return try? Base64URL.decode(String(decoding: characters, as: UTF8.self))
    }
}
