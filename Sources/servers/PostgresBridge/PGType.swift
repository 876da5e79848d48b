// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CLibPQ

/// A type of a value on the connection, and how its values are written in PostgreSQL's binary form:
/// the `bigint` 1 is the octets 00 00 00 00 00 00 00 01, and the `text` "a" is the octet 61.
package enum PGType: Sendable {
    case integer, text, bytes
    /// The type of integer literals in a statement. Its values are read as integers.
    case shortInteger
    /// A type that this module does not read.
    case other

    /// The type for its number in PostgreSQL's table `pg_type`, which is the same in all databases.
    init(_ number: Oid) {
        self =
            switch number {
            case 17: .bytes  // bytea
            case 20: .integer  // bigint, 8 octets
            case 23: .shortInteger  // integer, 4 octets
            case 25: .text
            default: .other
            }
    }

    /// A value from its binary form; nil if the octets are not a value of this type.
    func value(_ octets: [UInt8]) -> PGValue? {
        switch self {
        case .bytes: .bytes(octets)
        case .integer: octets.count == 8 ? .integer(Self.integer(octets)) : nil
        case .shortInteger:
            // Through Int32, so that the first bit is the sign.
            octets.count == 4
                ? .integer(Int64(Int32(truncatingIfNeeded: Self.integer(octets)))) : nil
        case .text: String(validating: octets, as: UTF8.self).map(PGValue.text)
        case .other: nil
        }
    }

    /// The number in big-endian octets.
    private static func integer(_ octets: [UInt8]) -> Int64 {
        octets.reduce(0) { $0 << 8 | Int64($1) }
    }
}

/// The values of a statement in one buffer, in their binary form. For `.integer(1)`, `.null` and
/// `.text("a")` the octets are 00 00 00 00 00 00 00 01 61, the starts 0, nil and 8, and the lengths
/// 8, 0 and 1.
struct PGParameters {
    /// libpq's number for the binary form; 0 is text.
    static let binaryForm: Int32 = 1

    private var octets: [UInt8] = []
    /// Where each value begins; nil for NULL.
    private var starts: [Int?] = []
    private var lengths: [Int32] = []

    /// - Throws: `valueType` if a value has a type that the statement does not take; `misuse` for a
    ///   value that is too long, or a text with a zero byte.
    init(_ values: [PGValue], types: [PGType]) throws(PGFailure) {
        for (value, type) in zip(values, types) {
            var start: Int? = octets.count
            switch (value, type) {
            case (.null, _): start = nil
            case (.integer(let number), .integer):
                octets += (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
            case (.text(let text), .text):
                guard !text.utf8.contains(0) else { throw PGFailure(.misuse) }
                octets += text.utf8
            case (.bytes(let bytes), .bytes): octets += bytes
            default: throw PGFailure(.valueType)
            }
            // 0 for NULL.
            guard let length = Int32(exactly: octets.count - (start ?? octets.count)) else {
                throw PGFailure(.misuse)
            }
            starts.append(start)
            lengths.append(length)
        }
        // An empty value at the end points here. Without an address it would be NULL.
        octets.append(0)
    }

    /// Calls `body` with the values in the form that libpq takes; libpq copies them.
    @unsafe
    func withPointers(
        _ body: (
            UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
        ) -> Int32
    ) -> Int32 {
        let formats = [Int32](repeating: Self.binaryForm, count: starts.count)
        return unsafe octets.withUnsafeBufferPointer { octets in
            guard let base = octets.baseAddress else { return 0 }
            return unsafe base.withMemoryRebound(to: CChar.self, capacity: octets.count) {
                (base: UnsafePointer<CChar>) -> Int32 in
                var pointers: [UnsafePointer<CChar>?] = unsafe []
                for start in starts { unsafe pointers.append(start.map { unsafe base + $0 }) }
                return unsafe body(pointers, lengths, formats)
            }
        }
    }
}
