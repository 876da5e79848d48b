// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension JSONValue: Codable {
    /// Decodes any value, from any decoder. From a foreign decoder, a number that it can give as
    /// `Int64` is ``integer(_:)``.
    public init(from decoder: any Decoder) throws {
        if let decoder = decoder as? JSONNodeDecoder {
            try self.init(decoder.index, at: decoder.position)
            return
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    /// Encodes the value; an object's members go in the order of the UTF-8 bytes of their names.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
        case .object(let members):
            var container = encoder.container(keyedBy: JSONKey.self)
            for (name, value) in members.sorted(by: {
                $0.key.utf8.lexicographicallyPrecedes($1.key.utf8)
            }) {
                try container.encode(value, forKey: JSONKey(stringValue: name))
            }
        default:
            var container = encoder.singleValueContainer()
            switch self {
            case .bool(let value): try container.encode(value)
            case .integer(let value): try container.encode(value)
            case .number(let value): try container.encode(value)
            case .string(let value): try container.encode(value)
            default: try container.encodeNil()
            }
        }
    }
}
