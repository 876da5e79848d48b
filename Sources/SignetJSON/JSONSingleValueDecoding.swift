// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A value read as itself.
struct JSONSingleValueDecoding: SingleValueDecodingContainer {
    let index: JSONIndex
    let position: Int

    var codingPath: [any CodingKey] { index.codingPath(to: position) }

    func decodeNil() -> Bool { index[position].kind == .null }
    func decode(_ type: String.Type) throws -> String { try index.string(at: position) }
    func decode(_ type: Bool.Type) throws -> Bool { try index.bool(at: position) }
    func decode(_ type: Double.Type) throws -> Double { try index.double(at: position) }
    func decode(_ type: Float.Type) throws -> Float { try index.float(at: position) }
    func decode(_ type: Int.Type) throws -> Int { try index.integer(at: position) }
    func decode(_ type: Int8.Type) throws -> Int8 { try index.integer(at: position) }
    func decode(_ type: Int16.Type) throws -> Int16 { try index.integer(at: position) }
    func decode(_ type: Int32.Type) throws -> Int32 { try index.integer(at: position) }
    func decode(_ type: Int64.Type) throws -> Int64 { try index.integer(at: position) }
    func decode(_ type: Int128.Type) throws -> Int128 { try index.integer(at: position) }
    func decode(_ type: UInt.Type) throws -> UInt { try index.integer(at: position) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try index.integer(at: position) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try index.integer(at: position) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try index.integer(at: position) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try index.integer(at: position) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try index.integer(at: position) }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try index.value(type, at: position)
    }
}
