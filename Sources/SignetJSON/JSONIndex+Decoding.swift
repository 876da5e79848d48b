// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension JSONIndex {
    func string(at position: Int) throws(DecodingError) -> String {
        let record = self[position]
        guard record.kind == .string else { throw mismatch(String.self, "a string", at: position) }
        return text(of: record).swiftString()
    }

    func bool(at position: Int) throws(DecodingError) -> Bool {
        let record = self[position]
        guard record.kind == .bool else { throw mismatch(Bool.self, "a boolean", at: position) }
        return record.flags.contains(.isTrue)
    }

    func integer<Value: FixedWidthInteger>(at position: Int) throws(DecodingError) -> Value {
        let record = self[position]
        guard let value = integer(record, as: Value.self) else {
            throw numberFault(Value.self, at: position)
        }
        return value
    }

    func double(at position: Int) throws(DecodingError) -> Double {
        guard let value = double(self[position]) else {
            throw numberFault(Double.self, at: position)
        }
        return value
    }

    func float(at position: Int) throws(DecodingError) -> Float {
        guard let double = double(self[position]) else {
            throw numberFault(Float.self, at: position)
        }
        let value = Float(double)
        guard value.isFinite else { throw numberFault(Float.self, at: position) }
        return value
    }

    /// Any other type, by its own `init(from:)`.
    /// - Throws: `DecodingError`, or what the type throws, as it is: the code around may know it.
    func value<Value: Decodable>(_ type: Value.Type, at position: Int) throws -> Value {
        // Generic callers, such as an array's elements, arrive here with scalars: spare them three containers.
        if type == String.self, let text = try string(at: position) as? Value { return text }
        if let foundationType = FoundationType(type) {
            throw refusal(of: foundationType, type, at: position)
        }
        do {
            return try Value(from: JSONNodeDecoder(index: self, position: position))
        } catch {
            noteFailure(at: position)
            throw error
        }
    }
}
