// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// An object read by name.
struct JSONKeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let index: JSONIndex
    let position: Int
    /// The members of a large object by name, or a dictionary of n members would be searched n times.
    private let table: [String: Int]?

    init(index: JSONIndex, position: Int) throws(JSONError) {
        self.index = index
        self.position = position
        let record = index[position]
        guard record.kind == .object else { throw index.fault(.typeMismatch, at: position) }
        guard record.flags.contains(.large) else {
            table = nil
            return
        }
        var table: [String: Int] = [:]
        var name = position &+ 1
        while name < Int(record.link) {
            table[index.text(of: index[name])] = name &+ 1
            name = Int(index[name &+ 1].link)
        }
        self.table = table
    }

    var codingPath: [any CodingKey] { index.codingPath(to: position) }

    var allKeys: [Key] {
        var keys: [Key] = []
        let end = Int(index[position].link)
        var name = position &+ 1
        while name < end {
            if let key = Key(stringValue: index.text(of: index[name])) { keys.append(key) }
            name = Int(index[name &+ 1].link)
        }
        return keys
    }

    func contains(_ key: Key) -> Bool { find(key.stringValue) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { index[try require(key)].kind == .null }

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
        KeyedDecodingContainer(try JSONKeyedDecoding<NestedKey>(index: index, position: require(key)))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try JSONUnkeyedDecoding(index: index, position: require(key))
    }

    func superDecoder() throws -> any Decoder { try decoder(JSONKey.super) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

    // MARK: - Looking members up

    /// The entry of a member's value.
    func require(_ key: Key) throws(JSONError) -> Int {
        guard let member = find(key.stringValue) else { throw index.fault(.missingMember, at: position, key) }
        return member
    }

    /// The entry of a member's value, unless it is absent or null.
    func present(_ key: Key) -> Int? {
        guard let member = find(key.stringValue), index[member].kind != .null else { return nil }
        return member
    }

    private func find(_ name: String) -> Int? {
        guard let table else { return index.member(name, of: position) }
        // A dictionary also finds a canonically equivalent name; only the same bytes are the same member.
        guard let member = table[name], index.text(of: index[member &- 1], equals: name.utf8.span)
        else {
            return nil
        }
        return member
    }

    private func decoder(_ key: some CodingKey) throws(JSONError) -> JSONNodeDecoder {
        guard let member = find(key.stringValue) else { throw index.fault(.missingMember, at: position, key) }
        return JSONNodeDecoder(index: index, position: member)
    }
}
