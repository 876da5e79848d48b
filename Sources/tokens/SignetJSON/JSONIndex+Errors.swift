// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// The errors of decoding, each with the path of the value: for `{"aud":["a",7]}` and a type that
// wants texts, `typeMismatch` at `aud`, 1. A position is the index of the value's entry
// (JSONRecord). `Codable` demands a `DecodingError`, and a caller of JSONTokenDecoder gets the
// JSONError that `converted(_:)` makes of it. No error holds a value of the document.

extension JSONIndex {
    /// The value does not have the requested type. As in `JSONDecoder`, `null` has its own case.
    /// - Parameter expected: with its article, such as "a string".
    func mismatch(_ type: Any.Type, expected: String, at position: Int) -> DecodingError {
        let found = self[position].kind
        let context = DecodingError.Context(
            codingPath: errorPath(to: position),
            debugDescription: "Expected \(expected), found \(found.phrase).")
        return found == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    /// A value that is not a number, or a number that does not fit.
    func numberFault(_ type: Any.Type, at position: Int) -> DecodingError {
        guard self[position].kind == .number else {
            return mismatch(type, expected: "a number", at: position)
        }
        return .dataCorrupted(
            DecodingError.Context(
                codingPath: errorPath(to: position),
                debugDescription: "The number does not fit the type that is asked for exactly.",
                underlyingError: JSONError(code: .numberOutOfRange)))
    }

    /// A member that is absent.
    func missing(_ key: any CodingKey, in object: Int) -> DecodingError {
        .keyNotFound(
            key,
            DecodingError.Context(
                codingPath: errorPath(to: object),
                debugDescription: "The object has no such member."))
    }

    /// An element past the end.
    func pastTheEnd(_ type: Any.Type, of array: Int, at ordinal: Int) -> DecodingError {
        .valueNotFound(
            type,
            DecodingError.Context(
                codingPath: errorPath(to: array) + [JSONKey(intValue: ordinal)],
                debugDescription: "The array has no more elements.",
                underlyingError: JSONError(code: .missingMember)))
    }

    /// A Foundation type (`Date`, `URL`, `Data`, `Decimal`) that would misread the text.
    func refusal(
        of foundationType: FoundationType, type: Any.Type, at position: Int
    ) -> DecodingError {
        .typeMismatch(
            type,
            DecodingError.Context(
                codingPath: errorPath(to: position),
                debugDescription: foundationType.remedy.description,
                underlyingError: JSONError(code: .unsupportedType, foundationType: foundationType)))
    }

    /// Turns what decoding threw into a ``JSONError``. The error keeps the place and drops the
    /// text, which may hold a value.
    func converted(_ error: any Error) -> JSONError {
        switch error {
        case DecodingError.keyNotFound(let key, let context):
            JSONError(code: .missingMember, at: context.codingPath + [key])
        case DecodingError.typeMismatch(_, let context),
            DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context):
            jsonError(in: context)
        // An error of the decoded type's own, or a new case of DecodingError.
        default:
            JSONError(code: .typeMismatch, at: errorPath(to: failedPosition))
        }
    }

    /// The error that the functions above put into the context, if it is theirs.
    private func jsonError(in context: DecodingError.Context) -> JSONError {
        let cause = context.underlyingError as? JSONError
        let path = context.codingPath.isEmpty ? errorPath(to: failedPosition) : context.codingPath
        return JSONError(
            code: cause?.code ?? .typeMismatch, at: path, foundationType: cause?.foundationType)
    }

    // MARK: - Paths

    /// The names and ordinals on the way to a value, found by walking down to it.
    func codingPath(to position: Int) -> [any CodingKey] {
        path(to: position) { name in JSONKey(stringValue: text(of: name).swiftString()) }
    }

    /// The same path for an error, which ends up in a log: each name is printable and has at most
    /// 64 characters.
    private func errorPath(to position: Int) -> [any CodingKey] {
        path(to: position) { written in
            // Enough bytes for 64 characters: up to four for each, or twelve as a pair of escapes.
            // The last may be cut.
            var name = written
            let longest: UInt32 = 64 &* (name.flags.contains(.escaped) ? 12 : 4)
            name.end = name.start &+ min(name.end &- name.start, longest)
            return JSONKey(stringValue: text(of: name).swiftString().printableName)
        }
    }

    /// Walks down from the root to a value, and notes the name or the ordinal of the child that it
    /// enters in each container. In `{"aud":["a",7]}` the entries are the object (0), `aud` (1),
    /// the array (2), `a` (3) and 7 (4), and the path to 4 is `aud`, 1. When no steps are left, the
    /// path ends at the container that was reached.
    private func path(to position: Int, name: (JSONRecord) -> JSONKey) -> [any CodingKey] {
        var path: [any CodingKey] = []
        var container = 0
        var steps = 0
        let limit = remainingPathSteps
        while container < position {
            let isObject = self[container].kind == .object
            guard isObject || self[container].kind == .array else { break }
            // In an object, a name comes before each value.
            var child = isObject ? container &+ 2 : container &+ 1
            var ordinal = 0
            // Passes the children that end before the wanted value.
            while steps < limit, Int(self[child].next) <= position {
                child = Int(self[child].next) &+ (isObject ? 1 : 0)
                ordinal &+= 1
                steps &+= 1
            }
            guard steps < limit else { break }
            path.append(isObject ? name(self[child &- 1]) : JSONKey(intValue: ordinal))
            container = child
        }
        spend(pathSteps: steps)
        return path
    }
}

extension JSONKind {
    /// The kind with its article, for a sentence that must not show the value.
    package var phrase: ErrorMessage {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
