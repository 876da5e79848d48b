// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase

extension JSONNode {
    /// A number of seconds in a server's answer: a number or, as Entra's version 1 writes it, a
    /// text of digits, with or without a fraction.
    ///
    /// Nil for anything else, for example a text with a sign, an exponent, a space or more than 32
    /// characters. Any finite number passes, so callers check the range.
    package var seconds: Double? {
        if let number = doubleValue { return number }
        guard let octets = text?.utf8, octets.count <= 32 else { return nil }
        let parts = octets.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isDigit) })
        else { return nil }
        return Double(String(decoding: octets, as: UTF8.self))
    }

    /// ``seconds`` without a fraction; nil if they are not in the range.
    package func wholeSeconds(in range: ClosedRange<Int>) -> Int? {
        let whole = seconds.flatMap { Int(exactly: $0.rounded(.down)) }
        return whole.flatMap { range.contains($0) ? $0 : nil }
    }
}
