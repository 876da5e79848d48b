// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension JSONEncodingTree {
    func setNull(_ position: Int) throws(JSONError) {
        try setScalar(position) { text.append(contentsOf: "null".utf8) }
    }

    func set(_ position: Int, boolean value: Bool) throws(JSONError) {
        try setScalar(position) { text.append(contentsOf: (value ? "true" : "false").utf8) }
    }

    func set(_ position: Int, string value: String) throws(JSONError) {
        try setScalar(position) { _ = appendString(value) }
    }

    func set(_ position: Int, integer value: some FixedWidthInteger) throws(JSONError) {
        try setScalar(position) { text.append(contentsOf: value.description.utf8) }
    }

    func set<Value: BinaryFloatingPoint & CustomStringConvertible>(
        _ position: Int, number value: Value
    ) throws(JSONError) {
        guard value.isFinite else { throw fault(.numberOutOfRange, at: position) }
        // Times are whole numbers, and other readers of tokens want them written as such. A negative zero keeps its sign.
        let isExact = value.magnitude < 9_007_199_254_740_992 && !(value.isZero && value.sign == .minus)
        if isExact, let integer = Int64(exactly: value) {
            try set(position, integer: integer)
        } else {
            // Swift's description is the shortest that reads back the same, and for finite values it is JSON: "1e-07".
            try setScalar(position) { text.append(contentsOf: value.description.utf8) }
        }
    }

    /// Appends a string with its quotation marks.
    /// - Returns: whether it is ASCII that stands for itself.
    func appendString(_ string: String) -> Bool {
        text.append(UInt8(ascii: "\""))
        let utf8 = string.utf8.span
        let plainCount = JSONScanner.skipPlain(utf8, 0)
        if plainCount == utf8.count {
            text.append(contentsOf: string.utf8)
        } else {
            for i in 0..<utf8.count { appendEscaped(utf8[i]) }
        }
        text.append(UInt8(ascii: "\""))
        return plainCount == utf8.count
    }

    /// RFC 8259, section 7: quotation mark, reverse solidus and control characters must be escaped, nothing else.
    private func appendEscaped(_ byte: UInt8) {
        let short: UInt8
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): short = byte
        case 0x08: short = UInt8(ascii: "b")
        case 0x09: short = UInt8(ascii: "t")
        case 0x0a: short = UInt8(ascii: "n")
        case 0x0c: short = UInt8(ascii: "f")
        case 0x0d: short = UInt8(ascii: "r")
        case 0..<0x20:
            text.append(contentsOf: byte < 0x10 ? "\\u000".utf8 : "\\u00".utf8)
            text.append(contentsOf: String(byte, radix: 16).utf8)
            return
        default:
            text.append(byte)
            return
        }
        text.append(UInt8(ascii: "\\"))
        text.append(short)
    }
}
