// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// An object being encoded.
struct JSONKeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let target: JSONEncodingTarget
    let position: Int

    var codingPath: [any CodingKey] { target.codingPath(to: position) }

    /// A new member. Inlined, so that the value's type is known: a container is generic in its caller's keys.
    @inline(__always)
    func add(_ value: some JSONScalar, _ key: Key) throws(EncodingError) {
        try target.add(name: key.stringValue, to: position, value)
    }

    mutating func encodeNil(forKey key: Key) throws { try add(JSONNull(), key) }

    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try target.set(target.add(name: key.stringValue, to: position), value: value)
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
        JSONNodeEncoder(target: target, position: target.add(name: JSONKey.super.stringValue, to: position))
    }

    mutating func superEncoder(forKey key: Key) -> any Encoder {
        JSONNodeEncoder(target: target, position: target.add(name: key.stringValue, to: position))
    }
}

/// An array being encoded.
struct JSONUnkeyedEncoding: UnkeyedEncodingContainer {
    let target: JSONEncodingTarget
    let position: Int

    var codingPath: [any CodingKey] { target.codingPath(to: position) }
    var count: Int { target.count(of: position) }

    /// A new element.
    @inline(__always)
    func add(_ value: some JSONScalar) throws(EncodingError) {
        try target.add(name: nil, to: position, value)
    }

    mutating func encodeNil() throws { try add(JSONNull()) }

    mutating func encode<Value: Encodable>(_ value: Value) throws {
        try target.set(target.add(name: nil, to: position), value: value)
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
        JSONNodeEncoder(target: target, position: target.add(name: nil, to: position))
    }
}

/// One value being encoded.
struct JSONSingleValueEncoding: SingleValueEncodingContainer {
    let target: JSONEncodingTarget
    let position: Int

    var codingPath: [any CodingKey] { target.codingPath(to: position) }

    mutating func encodeNil() throws { try target.set(position, JSONNull()) }

    mutating func encode<Value: Encodable>(_ value: Value) throws { try target.set(position, value: value) }
}
