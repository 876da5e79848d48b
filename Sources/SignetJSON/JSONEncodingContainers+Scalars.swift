// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// The scalar requirements of the three encoding containers, one for one.

extension JSONKeyedEncoding {
    mutating func encode(_ value: String, forKey key: Key) throws { try add(value, key) }
    mutating func encode(_ value: Bool, forKey key: Key) throws { try add(value, key) }
    mutating func encode(_ value: Double, forKey key: Key) throws { try add(value, key) }
    mutating func encode(_ value: Float, forKey key: Key) throws { try add(value, key) }
    mutating func encode(_ value: Int, forKey key: Key) throws { try add(value, key) }
    mutating func encode(_ value: Int8, forKey key: Key) throws { try add(value, key) }
    mutating func encode(_ value: Int16, forKey key: Key) throws { try add(value, key) }
    mutating func encode(_ value: Int32, forKey key: Key) throws { try add(value, key) }
    mutating func encode(_ value: Int64, forKey key: Key) throws { try add(value, key) }
    mutating func encode(_ value: Int128, forKey key: Key) throws { try add(value, key) }
    mutating func encode(_ value: UInt, forKey key: Key) throws { try add(value, key) }
    mutating func encode(_ value: UInt8, forKey key: Key) throws { try add(value, key) }
    mutating func encode(_ value: UInt16, forKey key: Key) throws { try add(value, key) }
    mutating func encode(_ value: UInt32, forKey key: Key) throws { try add(value, key) }
    mutating func encode(_ value: UInt64, forKey key: Key) throws { try add(value, key) }
    mutating func encode(_ value: UInt128, forKey key: Key) throws { try add(value, key) }
}

extension JSONUnkeyedEncoding {
    mutating func encode(_ value: String) throws { try add(value) }
    mutating func encode(_ value: Bool) throws { try add(value) }
    mutating func encode(_ value: Double) throws { try add(value) }
    mutating func encode(_ value: Float) throws { try add(value) }
    mutating func encode(_ value: Int) throws { try add(value) }
    mutating func encode(_ value: Int8) throws { try add(value) }
    mutating func encode(_ value: Int16) throws { try add(value) }
    mutating func encode(_ value: Int32) throws { try add(value) }
    mutating func encode(_ value: Int64) throws { try add(value) }
    mutating func encode(_ value: Int128) throws { try add(value) }
    mutating func encode(_ value: UInt) throws { try add(value) }
    mutating func encode(_ value: UInt8) throws { try add(value) }
    mutating func encode(_ value: UInt16) throws { try add(value) }
    mutating func encode(_ value: UInt32) throws { try add(value) }
    mutating func encode(_ value: UInt64) throws { try add(value) }
    mutating func encode(_ value: UInt128) throws { try add(value) }
}

extension JSONSingleValueEncoding {
    mutating func encode(_ value: String) throws { try encoding.set(position, value) }
    mutating func encode(_ value: Bool) throws { try encoding.set(position, value) }
    mutating func encode(_ value: Double) throws { try encoding.set(position, value) }
    mutating func encode(_ value: Float) throws { try encoding.set(position, value) }
    mutating func encode(_ value: Int) throws { try encoding.set(position, value) }
    mutating func encode(_ value: Int8) throws { try encoding.set(position, value) }
    mutating func encode(_ value: Int16) throws { try encoding.set(position, value) }
    mutating func encode(_ value: Int32) throws { try encoding.set(position, value) }
    mutating func encode(_ value: Int64) throws { try encoding.set(position, value) }
    mutating func encode(_ value: Int128) throws { try encoding.set(position, value) }
    mutating func encode(_ value: UInt) throws { try encoding.set(position, value) }
    mutating func encode(_ value: UInt8) throws { try encoding.set(position, value) }
    mutating func encode(_ value: UInt16) throws { try encoding.set(position, value) }
    mutating func encode(_ value: UInt32) throws { try encoding.set(position, value) }
    mutating func encode(_ value: UInt64) throws { try encoding.set(position, value) }
    mutating func encode(_ value: UInt128) throws { try encoding.set(position, value) }
}
