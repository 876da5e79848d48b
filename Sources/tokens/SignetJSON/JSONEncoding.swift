// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The state of a single encoding of a Swift value to JSON, shared by the `Encoder` that its types
/// get and by their containers. It passes values on to ``JSONWriter``, and keeps the first fault.
///
/// A value stands at a *place*, a number that the writer gives: 0 is the whole text. To encode
/// `["a": 1]`, the dictionary's type calls `open(0, as: .object)` and then
/// `add(name: "a", to: 0, scalar: 1)`, both through its container; `finish` returns `{"a":1}`.
final class JSONEncoding {
    private var writer = JSONWriter()
    /// The first fault, thrown at the end even if a type caught it: half-written claims must not be
    /// signed.
    private var fault: JSONError?
    /// How many `encode(to:)` are running, so that a type that encodes itself cannot exhaust the
    /// stack.
    private var running = 0
    private let maximumDepth: Int
    /// 80 at the usual depth of 32: the stack of a thread of the pool holds that many even with the
    /// address sanitizer; 192 were too many.
    private var maximumRunning: Int { 2 &* maximumDepth &+ 16 }

    init(maximumDepth: Int) { self.maximumDepth = maximumDepth }

    /// A new element or, with a name, member, whose value is still to come.
    func add(name: String?, to container: Int) -> Int { writer.add(name: name, to: container) }

    /// A new element or member that is a scalar.
    // Inlined, so that each kind of scalar gets code of its own, without a table of functions.
    @inline(__always)
    func add(
        name: String?, to container: Int, scalar value: some JSONScalar
    ) throws(EncodingError) {
        let isFinite = writer.add(name: name, to: container, scalar: value)
        guard isFinite else { throw recordNotFinite(name: name, in: container) }
    }

    /// Records a NaN or an infinity, for which JSON has no text.
    private func recordNotFinite(name: String?, in container: Int) -> EncodingError {
        // The writer has counted the value.
        let ordinal = writer.places[container].count &- 1
        let key = name.map { JSONKey(stringValue: $0) } ?? JSONKey(intValue: ordinal)
        return recordFault(.numberOutOfRange, at: codingPath(to: container) + [key])
    }

    /// Sets the only value of a place.
    func set(_ position: Int, scalar value: some JSONScalar) throws(EncodingError) {
        guard writer.places[position].kind == .unset else {
            throw recordFault(.typeMismatch, at: codingPath(to: position))
        }
        guard writer.set(position, scalar: value) else {
            throw recordFault(.numberOutOfRange, at: codingPath(to: position))
        }
    }

    /// Sets a value by the `encode(to:)` of its type.
    /// - Throws: `EncodingError`, or the type's own error unchanged. Either is recorded.
    func set<Value: Encodable>(_ position: Int, value: Value) throws {
        // Generic callers, such as the elements of an array, arrive here with strings.
        if Value.self == String.self, let text = value as? String {
            return try set(position, scalar: text)
        }
        // `Date`, `URL`, `Data` and `Decimal`, whose own encoding no reader of JSON expects.
        if let foundationType = FoundationType(Value.self) {
            throw recordFault(
                .unsupportedType, at: codingPath(to: position), foundationType: foundationType)
        }
        guard writer.places[position].depth <= maximumDepth, running <= maximumRunning else {
            throw recordFault(.tooDeep, at: codingPath(to: position))
        }
        running &+= 1
        defer { running &-= 1 }
        do {
            try value.encode(to: JSONNodeEncoder(encoding: self, position: position))
        } catch {
            // Has an effect for an error of the type's own; an error from here is recorded already.
            recordFault(.typeMismatch, at: codingPath(to: position))
            throw error
        }
        // A type that encodes nothing becomes an empty object, as with `JSONEncoder`.
        if position > 0, writer.places[position].kind == .unset { _ = open(position, as: .object) }
    }

    /// Makes a place an array or object. A second call gives the same container.
    func open(_ position: Int, as kind: JSONWriter.Place.Kind) -> Int {
        let place = writer.places[position]
        if place.kind == kind { return position }
        if place.kind == .unset, place.depth < maximumDepth {
            writer.open(position, as: kind)
            return position
        }
        // `Encoder.container(keyedBy:)` may not throw, so the fault is thrown at the end. Until
        // then the type writes into a container outside of the text.
        recordFault(place.kind == .unset ? .tooDeep : .typeMismatch, at: codingPath(to: position))
        return writer.addStray(kind)
    }

    /// How many elements or members a container has so far.
    func count(of position: Int) -> Int { writer.places[position].count }

    func codingPath(to position: Int) -> [any CodingKey] { writer.codingPath(to: position) }

    /// Keeps the fault for the end, unless an earlier fault is kept.
    /// - Returns: the fault as the protocols throw it.
    @discardableResult
    private func recordFault(
        _ code: JSONError.Code, at path: [any CodingKey], foundationType: FoundationType? = nil
    ) -> EncodingError {
        let fault = JSONError(code: code, at: path, foundationType: foundationType)
        self.fault = self.fault ?? fault
        return EncodingError(fault, at: path)
    }

    /// The text, in UTF-8, or the first fault.
    ///
    /// - Parameter allowsFragments: whether a single scalar, such as `1`, is a whole text.
    func finish(allowsFragments: Bool) throws(JSONError) -> [UInt8] {
        if let fault { throw fault }
        let kind = writer.places[0].kind
        guard kind == .array || kind == .object || (allowsFragments && kind == .scalar) else {
            throw JSONError(code: .typeMismatch)
        }
        writer.finish()
        return writer.text
    }
}
