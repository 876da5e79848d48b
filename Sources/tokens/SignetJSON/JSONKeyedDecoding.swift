// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// An object of a parsed document, read by name: `decode(Int.self, forKey: .exp)` on `{"exp":7}` is
/// 7. Each call finds the member in the index of the document and leaves the conversion to
/// ``JSONIndex``, whose errors name the path. Integers must fit the type exactly.
struct JSONKeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let index: JSONIndex
    /// The entry of the object in the index.
    let position: Int
    /// The members of a large object by name: searching n members n times would take quadratic
    /// time. Nil for a small object.
    private let names: [ReceivedText.Key: Int]?

    init(index: JSONIndex, position: Int) throws(DecodingError) {
        self.index = index
        self.position = position
        let record = index[position]
        guard record.kind == .object else {
            throw index.mismatch([String: Any].self, expected: "an object", at: position)
        }
        names = record.flags.contains(.large) ? index.members(of: position) : nil
    }

    var codingPath: [any CodingKey] { index.codingPath(to: position) }

    var allKeys: [Key] {
        var keys: [Key] = []
        // `next` is the entry after everything inside the object, or inside a value.
        let end = Int(index[position].next)
        var name = position &+ 1
        while name < end {
            if let key = Key(stringValue: index.text(of: index[name]).swiftString()) {
                keys.append(key)
            }
            // The value is the entry after its name.
            name = Int(index[name &+ 1].next)
        }
        return keys
    }

    func contains(_ key: Key) -> Bool { find(key.stringValue) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { index[try require(key)].kind == .null }

    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        try index.string(at: require(key))
    }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        try index.bool(at: require(key))
    }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        try index.double(at: require(key))
    }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
        try index.float(at: require(key))
    }

    func decode<Value: FixedWidthInteger & Decodable>(
        _ type: Value.Type, forKey key: Key
    ) throws -> Value { try index.integer(at: require(key)) }

    // Separate from the generic form: the compiler makes fast code for a type that it knows.
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
        try index.integer(at: require(key))
    }

    // The protocol has these two as well, and its own defaults throw.
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
        try index.integer(at: require(key))
    }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
        try index.integer(at: require(key))
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try index.value(type, at: require(key))
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        guard let position = present(key) else { return nil }
        return try index.value(type, at: position)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        KeyedDecodingContainer(
            try JSONKeyedDecoding<NestedKey>(index: index, position: require(key)))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try JSONUnkeyedDecoding(index: index, position: require(key))
    }

    func superDecoder() throws -> any Decoder { try decoder(JSONKey.super) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

    // MARK: - Looking members up

    /// The entry of a member's value; the error for an absent member otherwise.
    @inline(__always)
    func require(_ key: some CodingKey) throws(DecodingError) -> Int {
        guard let member = find(key.stringValue) else { throw index.missing(key, in: position) }
        return member
    }

    /// The entry of a member's value, unless it is absent or null.
    func present(_ key: Key) -> Int? {
        guard let member = find(key.stringValue), index[member].kind != .null else { return nil }
        return member
    }

    @inline(__always)
    private func find(_ name: String) -> Int? {
        guard let names else { return index.member(name, of: position) }
        return names[ReceivedText(name).key]
    }

    private func decoder(_ key: some CodingKey) throws(DecodingError) -> JSONNodeDecoder {
        JSONNodeDecoder(index: index, position: try require(key))
    }
}
