// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// The scalar requirements of a keyed container, one for one: each goes straight to the index.

extension JSONKeyedDecoding {
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
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
        try index.integer(at: require(key))
    }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 {
        try index.integer(at: require(key))
    }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
        try index.integer(at: require(key))
    }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
        try index.integer(at: require(key))
    }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
        try index.integer(at: require(key))
    }
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
        try index.integer(at: require(key))
    }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt {
        try index.integer(at: require(key))
    }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
        try index.integer(at: require(key))
    }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
        try index.integer(at: require(key))
    }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
        try index.integer(at: require(key))
    }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
        try index.integer(at: require(key))
    }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
        try index.integer(at: require(key))
    }
}
