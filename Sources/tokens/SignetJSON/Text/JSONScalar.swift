// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A value that is written in a single piece.
protocol JSONScalar {
    /// Appends the value as JSON.
    /// - Returns: false, with nothing appended, for a number that is not finite.
    func append(to text: inout [UInt8]) -> Bool
}

/// `null`.
struct JSONNull: JSONScalar {
    func append(to text: inout [UInt8]) -> Bool {
        text.append(contentsOf: "null".utf8)
        return true
    }
}

extension Bool: JSONScalar {
    func append(to text: inout [UInt8]) -> Bool {
        text.append(contentsOf: (self ? "true" : "false").utf8)
        return true
    }
}

extension String: JSONScalar {
    func append(to text: inout [UInt8]) -> Bool {
        JSONText.append(self, to: &text)
        return true
    }
}

extension FixedWidthInteger where Self: JSONScalar {
    func append(to text: inout [UInt8]) -> Bool {
        text.append(contentsOf: description.utf8)
        return true
    }
}

extension BinaryFloatingPoint where Self: JSONScalar & CustomStringConvertible {
    func append(to text: inout [UInt8]) -> Bool {
        guard isFinite else { return false }
        // Times are whole numbers, and other readers of tokens expect integers. Negative zero keeps
        // its sign.
        let isExact = magnitude < 9_007_199_254_740_992 && !(isZero && sign == .minus)
        if isExact, let integer = Int64(exactly: self) { return integer.append(to: &text) }
        // Swift's description of a finite value is valid JSON ("1e-07"), and the shortest that
        // reads back the same.
        text.append(contentsOf: description.utf8)
        return true
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
