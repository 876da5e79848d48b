// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// An object being encoded.
struct JSONKeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoding: JSONEncoding
    let position: Int

    var codingPath: [any CodingKey] { encoding.codingPath(to: position) }

    mutating func encodeNil(forKey key: Key) throws { try add(JSONNull(), forKey: key) }
    // Inlined, like those that it calls: a copy for each kind of scalar needs no witness table.
    @inline(__always)
    mutating func encode<Value: JSONScalar & Encodable>(_ value: Value, forKey key: Key) throws {
        try add(value, forKey: key)
    }
    // The protocol's own defaults for these two refuse.
    mutating func encode(_ value: Int128, forKey key: Key) throws { try add(value, forKey: key) }
    mutating func encode(_ value: UInt128, forKey key: Key) throws { try add(value, forKey: key) }

    @inline(__always)
    private func add(_ value: some JSONScalar, forKey key: Key) throws(EncodingError) {
        try encoding.add(name: key.stringValue, to: position, scalar: value)
    }

    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try encoding.set(encoding.add(name: key.stringValue, to: position), value: value)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        superEncoder(forKey: key).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        superEncoder(forKey: key).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder {
        JSONNodeEncoder(
            encoding: encoding,
            position: encoding.add(name: JSONKey.super.stringValue, to: position))
    }

    mutating func superEncoder(forKey key: Key) -> any Encoder {
        JSONNodeEncoder(
            encoding: encoding, position: encoding.add(name: key.stringValue, to: position))
    }
}

/// An array being encoded.
struct JSONUnkeyedEncoding: UnkeyedEncodingContainer {
    let encoding: JSONEncoding
    let position: Int

    var codingPath: [any CodingKey] { encoding.codingPath(to: position) }
    var count: Int { encoding.count(of: position) }

    mutating func encodeNil() throws { try add(JSONNull()) }
    mutating func encode<Value: JSONScalar & Encodable>(_ value: Value) throws { try add(value) }
    mutating func encode(_ value: Int128) throws { try add(value) }
    mutating func encode(_ value: UInt128) throws { try add(value) }

    private func add(_ value: some JSONScalar) throws(EncodingError) {
        try encoding.add(name: nil, to: position, scalar: value)
    }

    mutating func encode<Value: Encodable>(_ value: Value) throws {
        try encoding.set(encoding.add(name: nil, to: position), value: value)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        superEncoder().container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        superEncoder().unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder {
        JSONNodeEncoder(encoding: encoding, position: encoding.add(name: nil, to: position))
    }
}

/// A single value being encoded.
struct JSONSingleValueEncoding: SingleValueEncodingContainer {
    let encoding: JSONEncoding
    let position: Int

    var codingPath: [any CodingKey] { encoding.codingPath(to: position) }

    mutating func encodeNil() throws { try encoding.set(position, scalar: JSONNull()) }
    mutating func encode<Value: JSONScalar & Encodable>(_ value: Value) throws {
        try encoding.set(position, scalar: value)
    }
    mutating func encode(_ value: Int128) throws { try encoding.set(position, scalar: value) }
    mutating func encode(_ value: UInt128) throws { try encoding.set(position, scalar: value) }

    mutating func encode<Value: Encodable>(_ value: Value) throws {
        try encoding.set(position, value: value)
    }
}
