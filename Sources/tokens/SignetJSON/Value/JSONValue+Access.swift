// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetMemory

extension JSONValue {
    /// The member of an object with exactly this name; nil when it is absent or the value is not an
    /// object.
    public subscript(name: String) -> JSONValue? {
        // A dictionary also finds a canonically equivalent name: the Kelvin sign for a "K".
        guard case .object(let members) = self, let found = members.index(forKey: name),
            bytesAreEqual(members[found].key.utf8.span, name.utf8.span)
        else { return nil }
        return members[found].value
    }

    /// The text of a string; nil for a value that is no string.
    public var stringValue: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The value of a whole number that fits in 64 bits; nil for anything else.
    public var integerValue: Int64? {
        guard case .integer(let number) = self else { return nil }
        return number
    }

    /// The value of a boolean; nil for a value that is no boolean.
    public var boolValue: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The elements of an array; nil for a value that is no array.
    public var arrayValue: [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }
}
