// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// What is written as one piece.
protocol JSONScalar {
    static var kind: JSONKind { get }
    /// Appends the value as JSON.
    /// - Returns: what a scanner would note of it; nil, with nothing appended, for a number that is not finite.
    func append(to text: inout JSONTextBuffer) -> JSONRecord.Flags?
}

/// `null`.
struct JSONNull: JSONScalar {
    static var kind: JSONKind { .null }
    func append(to text: inout JSONTextBuffer) -> JSONRecord.Flags? {
        text.append("null")
        return []
    }
}

extension Bool: JSONScalar {
    static var kind: JSONKind { .bool }
    func append(to text: inout JSONTextBuffer) -> JSONRecord.Flags? {
        text.append(self ? "true" : "false")
        return self ? .isTrue : []
    }
}

extension String: JSONScalar {
    static var kind: JSONKind { .string }
    /// Appends the string with its quotation marks.
    func append(to text: inout JSONTextBuffer) -> JSONRecord.Flags? { text.append(quoted: utf8.span) }
}

extension FixedWidthInteger where Self: JSONScalar {
    static var kind: JSONKind { .number }
    func append(to text: inout JSONTextBuffer) -> JSONRecord.Flags? {
        guard let magnitude = UInt64(exactly: magnitude) else {
            text.append(description)
            return .integer
        }
        if self < 0 { text.append(UInt8(ascii: "-")) }
        text.append(decimal: magnitude)
        return .integer
    }
}

extension BinaryFloatingPoint where Self: JSONScalar & CustomStringConvertible {
    static var kind: JSONKind { .number }
    func append(to text: inout JSONTextBuffer) -> JSONRecord.Flags? {
        guard isFinite else { return nil }
        // Times are whole numbers, and other readers of tokens want them written as such. A negative zero keeps its sign.
        let isExact = magnitude < 9_007_199_254_740_992 && !(isZero && sign == .minus)
        if isExact, let integer = Int64(exactly: self) { return integer.append(to: &text) }
        // Swift's description is the shortest that reads back the same, and for finite values it is JSON: "1e-07". It has
        // a fraction or an exponent.
        text.append(description)
        return []
    }
}

extension Int: JSONScalar {}
extension Int8: JSONScalar {}
extension Int16: JSONScalar {}
extension Int32: JSONScalar {}
extension Int64: JSONScalar {}
extension Int128: JSONScalar {}
extension UInt: JSONScalar {}
extension UInt8: JSONScalar {}
extension UInt16: JSONScalar {}
extension UInt32: JSONScalar {}
extension UInt64: JSONScalar {}
extension UInt128: JSONScalar {}
extension Double: JSONScalar {}
extension Float: JSONScalar {}
