// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJSON

/// `application/x-www-form-urlencoded`, as OAuth uses it in queries and bodies (RFC 6749, appendix
/// B).
///
/// `FormEncoding.encode([("scope", "openid email"), ("a", "1&2")])` is
/// `scope=openid%20email&a=1%262`, and `FormEncoding.decode` reads it back.
///
/// Reading is strict. **Not** checked: how long a text is, how many parameters it has, and whether
/// a name is repeated.
public enum FormEncoding {
    /// Names and values, percent-encoded except for RFC 3986's unreserved characters. A space
    /// becomes `%20`, which every reader accepts.
    public static func encode(_ parameters: [(name: String, value: String)]) -> String {
        parameters.map { encode($0.name) + "=" + encode($0.value) }.joined(separator: "&")
    }

    /// One name or value, percent-encoded.
    static func encode(_ text: String) -> String {
        var output = [UInt8]()
        output.reserveCapacity(text.utf8.count)
        for octet in text.utf8 {
            if isUnreserved(octet) {
                output.append(octet)
            } else {
                output.append(UInt8(ascii: "%"))
                output.append(hexadecimalDigit(octet >> 4))
                output.append(hexadecimalDigit(octet & 0x0f))
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// The parameters of a query or body, in order; nil for a percent sign without two digits after
    /// it, a name or value that is not UTF-8, an empty name, or a character that is not printable
    /// ASCII. Empty text between two `&` is skipped.
    public static func decode(_ text: String) -> [(name: ReceivedText, value: ReceivedText)]? {
        var parameters = [(name: ReceivedText, value: ReceivedText)]()
        for piece in text.utf8.split(separator: UInt8(ascii: "&")) {
            let name = piece.prefix { $0 != UInt8(ascii: "=") }
            guard let decodedName = decode(name), !decodedName.isEmpty,
                let value = decode(piece.dropFirst(name.count + 1))
            else { return nil }
            parameters.append((decodedName, value))
        }
        return parameters
    }

    /// A name or a value without its percent-encoding; nil if it is malformed.
    private static func decode(_ text: Substring.UTF8View) -> ReceivedText? {
        var output = [UInt8]()
        output.reserveCapacity(text.count)
        var rest = text.makeIterator()
        while let octet = rest.next() {
            switch octet {
            case UInt8(ascii: "%"):
                guard let high = rest.next()?.hexadecimalValue,
                    let low = rest.next()?.hexadecimalValue
                else {
                    return nil
                }
                output.append(high << 4 | low)
            case UInt8(ascii: "+"):
                output.append(UInt8(ascii: " "))
            case 0x21...0x7e:  // Printable ASCII.
                output.append(octet)
            default:
                return nil
            }
        }
        guard String(validating: output, as: UTF8.self) != nil else { return nil }
        return ReceivedText(utf8: output[...])
    }

    /// Whether an octet needs no percent-encoding (RFC 3986, section 2.3).
    static func isUnreserved(_ octet: UInt8) -> Bool {
        octet.isLetter || octet.isDigit || "-._~".utf8.contains(octet)
    }

    private static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + (value - 10)
    }
}
