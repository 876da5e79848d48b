// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension JSONIndex {
    private static let maximumStepCount = 1_000

    func string(at position: Int) throws(JSONError) -> String {
        let record = self[position]
        guard record.kind == .string else { throw fault(.typeMismatch, at: position) }
        return text(of: record).swiftString()
    }

    func bool(at position: Int) throws(JSONError) -> Bool {
        let record = self[position]
        guard record.kind == .bool else { throw fault(.typeMismatch, at: position) }
        return record.flags.contains(.isTrue)
    }

    func integer<Value: FixedWidthInteger>(at position: Int) throws(JSONError) -> Value {
        let record = self[position]
        guard let value = integer(record, as: Value.self) else { throw numberFault(at: position) }
        return value
    }

    func double(at position: Int) throws(JSONError) -> Double {
        guard let value = double(self[position]) else { throw numberFault(at: position) }
        return value
    }

    func float(at position: Int) throws(JSONError) -> Float {
        let value = Float(try double(at: position))
        guard value.isFinite else { throw fault(.numberOutOfRange, at: position) }
        return value
    }

    /// Any other type, by its own `init(from:)`.
    func value<Value: Decodable>(_ type: Value.Type, at position: Int) throws(JSONError) -> Value {
        // Generic callers, such as an array's elements, arrive here with scalars: spare them three containers.
        if type == String.self { return try text(type, at: position) }
        return try composed(type, at: position)
    }

    /// By itself, because the optional of a type that is not known here is looked up at run time.
    @inline(never)
    private func text<Value: Decodable>(_ type: Value.Type, at position: Int) throws(JSONError) -> Value {
        guard let value = try string(at: position) as? Value else { return try composed(type, at: position) }
        return value
    }

    @inline(__always)
    private func composed<Value: Decodable>(_ type: Value.Type, at position: Int) throws(JSONError) -> Value {
        do {
            return try Value(from: JSONNodeDecoder(index: self, position: position))
        } catch {
            throw folded(error, at: position)
        }
    }

    // MARK: - Errors and paths

    func fault(_ code: JSONError.Code, at position: Int, _ key: (any CodingKey)? = nil) -> JSONError {
        JSONError(
            code: code, at: JSONPlace(index: self, position: position, key: key),
            offset: Int(self[position].start))
    }

    private func numberFault(at position: Int) -> JSONError {
        fault(self[position].kind == .number ? .numberOutOfRange : .typeMismatch, at: position)
    }

    /// What a type threw, as one of ours: the place is kept and the text, which may hold a value, is not.
    private func folded(_ error: any Error, at position: Int) -> JSONError {
        switch error {
        case let error as JSONError:
            return error
        case DecodingError.keyNotFound(let key, let context):
            return JSONError(code: .missingMember, at: context.codingPath + [key])
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context):
            guard !context.codingPath.isEmpty else { break }
            return JSONError(code: .typeMismatch, at: context.codingPath)
        default:
            break
        }
        return fault(.typeMismatch, at: position)
    }

    /// The names and positions on the way to an entry, found by walking down to it.
    ///
    /// After a thousand steps it ends with the container that was reached: a type that leaves out what does not decode
    /// meets an error for each element of an array, and walking to each would take the square of their number.
    func codingPath(to position: Int) -> [any CodingKey] {
        var path: [any CodingKey] = []
        var container = 0
        var steps = 0
        while container < position {
            let isObject = self[container].kind == .object
            guard isObject || self[container].kind == .array else { break }
            var child = isObject ? container &+ 2 : container &+ 1
            var ordinal = 0
            while Int(self[child].link) <= position {
                child = Int(self[child].link) &+ (isObject ? 1 : 0)
                ordinal &+= 1
                steps &+= 1
                if steps > Self.maximumStepCount { return path }
            }
            path.append(
                isObject
                    ? JSONKey(stringValue: text(of: self[child &- 1]).swiftString())
                    : JSONKey(intValue: ordinal))
            container = child
        }
        return path
    }
}
