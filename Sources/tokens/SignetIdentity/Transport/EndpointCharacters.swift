// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The path and the query of an ``EndpointURL`` (RFC 3986, sections 3.3 and 3.4).
enum EndpointCharacters {
    static func isPath(_ path: ArraySlice<UInt8>) -> Bool {
        guard path.isEmpty || path.first == UInt8(ascii: "/"), isEncoded(path, allowing: "/:@")
        else {
            return false
        }
        return !path.split(separator: UInt8(ascii: "/")).contains(where: isDots)
    }

    static func isQuery(_ query: ArraySlice<UInt8>) -> Bool { isEncoded(query, allowing: "/:@?") }

    /// Unreserved characters, sub-delimiters, those of `extra`, and percent-encoded octets.
    private static func isEncoded(_ text: ArraySlice<UInt8>, allowing extra: String) -> Bool {
        var position = text.startIndex
        while position < text.endIndex {
            let octet = text[position]
            if octet == UInt8(ascii: "%") {
                let digits = text[(position + 1)...].prefix(2)
                guard digits.count == 2, digits.allSatisfy({ $0.hexadecimalValue != nil }) else {
                    return false
                }
                position += 3
                continue
            }
            guard
                octet.isLetter || octet.isDigit || "-._~!$&'()*+,;=".utf8.contains(octet)
                    || extra.utf8.contains(octet)
            else { return false }
            position += 1
        }
        return true
    }

    /// `.` and `..`, with dots encoded or not. Clients resolve them before they send a path.
    private static func isDots(_ segment: ArraySlice<UInt8>) -> Bool {
        // The longest is "%2e%2e".
        guard segment.count <= 6 else { return false }
        var rest = segment
        var count = 0
        while let first = rest.first {
            if first == UInt8(ascii: ".") {
                rest = rest.dropFirst()
            } else if rest.prefix(3).map(\.lowercased).elementsEqual("%2e".utf8) {
                rest = rest.dropFirst(3)
            } else {
                return false
            }
            count += 1
        }
        return count == 1 || count == 2
    }
}
