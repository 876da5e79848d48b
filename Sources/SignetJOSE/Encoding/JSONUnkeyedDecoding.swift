// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// An array read in order. 24 bytes, so that it is an existential without an allocation.
struct JSONUnkeyedDecoding: UnkeyedDecodingContainer {
    let index: JSONIndex
    private let container: UInt32
    private var next: UInt32
    private var ordinal: UInt32 = 0
    private let total: UInt32

    init(index: JSONIndex, position: Int) throws(DecodingError) {
        guard index[position].kind == .array else {
            throw index.mismatch([Any].self, "an array", at: position)
        }
        self.index = index
        container = UInt32(truncatingIfNeeded: position)
        next = container &+ 1
        total = UInt32(truncatingIfNeeded: index.count(of: position))
    }

    var codingPath: [any CodingKey] { index.codingPath(to: Int(container)) }
    var count: Int? { Int(total) }
    var currentIndex: Int { Int(ordinal) }
    var isAtEnd: Bool { ordinal >= total }

    mutating func decodeNil() throws -> Bool {
        guard index[try current(Any?.self)].kind == .null else { return false }
        advance()
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value = try index.value(type, at: current(type))
        advance()
        return value
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        let nested = try JSONKeyedDecoding<NestedKey>(
            index: index, position: current(KeyedDecodingContainer<NestedKey>.self))
        advance()
        return KeyedDecodingContainer(nested)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let nested = try JSONUnkeyedDecoding(
            index: index, position: current((any UnkeyedDecodingContainer).self))
        advance()
        return nested
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = JSONNodeDecoder(index: index, position: try current((any Decoder).self))
        advance()
        return decoder
    }

    /// The entry of the next element.
    /// - Parameter type: what is asked for, to be named in the error.
    func current(_ type: Any.Type) throws(DecodingError) -> Int {
        guard !isAtEnd else { throw index.pastTheEnd(type, of: Int(container), at: currentIndex) }
        return Int(next)
    }

    mutating func advance() {
        next = index[Int(next)].link
        ordinal &+= 1
    }
}
