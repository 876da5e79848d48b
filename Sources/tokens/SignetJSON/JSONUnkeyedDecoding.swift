// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// An array read in order.
struct JSONUnkeyedDecoding: UnkeyedDecodingContainer {
    let index: JSONIndex
    private let container: Int
    private let total: Int
    private var next: Int
    private(set) var currentIndex = 0

    init(index: JSONIndex, position: Int) throws(DecodingError) {
        guard index[position].kind == .array else {
            throw index.mismatch([Any].self, expected: "an array", at: position)
        }
        self.index = index
        container = position
        next = position &+ 1
        total = index.count(of: position)
    }

    var codingPath: [any CodingKey] { index.codingPath(to: container) }
    var count: Int? { total }
    var isAtEnd: Bool { currentIndex >= total }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd else { throw index.pastTheEnd(Any?.self, of: container, at: currentIndex) }
        guard index[next].kind == .null else { return false }
        advance()
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try read(type) { try $0.value(type, at: $1) }
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try read(KeyedDecodingContainer<NestedKey>.self) {
            KeyedDecodingContainer(try JSONKeyedDecoding<NestedKey>(index: $0, position: $1))
        }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try read((any UnkeyedDecodingContainer).self) {
            try JSONUnkeyedDecoding(index: $0, position: $1)
        }
    }

    mutating func superDecoder() throws -> any Decoder {
        try read((any Decoder).self) { JSONNodeDecoder(index: $0, position: $1) }
    }

    /// Reads the next element. A failure does not advance to the element after it.
    /// - Parameter type: the requested type, which the error names.
    private mutating func read<Value>(_ type: Any.Type, _ body: (JSONIndex, Int) throws -> Value)
        throws
        -> Value
    {
        guard !isAtEnd else { throw index.pastTheEnd(type, of: container, at: currentIndex) }
        let value = try body(index, next)
        advance()
        return value
    }

    private mutating func advance() {
        next = Int(index[next].next)
        currentIndex &+= 1
    }
}

extension JSONUnkeyedDecoding {
    mutating func decode(_ type: String.Type) throws -> String {
        try read(type) { try $0.string(at: $1) }
    }
    mutating func decode(_ type: Bool.Type) throws -> Bool {
        try read(type) { try $0.bool(at: $1) }
    }
    mutating func decode(_ type: Double.Type) throws -> Double {
        try read(type) { try $0.double(at: $1) }
    }
    mutating func decode(_ type: Float.Type) throws -> Float {
        try read(type) { try $0.float(at: $1) }
    }
    mutating func decode<Value: FixedWidthInteger & Decodable>(_ type: Value.Type) throws -> Value {
        try read(type) { try $0.integer(at: $1) }
    }
    mutating func decode(_ type: Int128.Type) throws -> Int128 {
        try read(type) { try $0.integer(at: $1) }
    }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 {
        try read(type) { try $0.integer(at: $1) }
    }
}
