// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The JSON text that a ``JSONEncoding`` writes, in the order in which a type encodes its values.
/// The calls for `{"a":[1]}`, where numbers stand for places (0 is the whole text):
/// `open(0, as: .object)`, `add(name: "a", to: 0)`, which returns 1, `open(1, as: .array)`,
/// `add(name: nil, to: 1, scalar: 1)`, `finish()`.
///
/// Each new piece (a comma, a name, a value) is appended to the text. It belongs there if its
/// container is *open*: the closing bracket is not written yet. A type may also encode into two
/// containers by turns. A piece of a container that is closed is moved to just before its bracket:
///
/// ```
/// {"a":[1],"b":[2      b is open, a is closed, and 3 belongs to a
/// {"a":[1],"b":[2,3    the piece ",3" is appended
/// {"a":[1,3],"b":[2    and moved; the places after it are shifted
/// ```
// `&+` and `&-`: no position in a text reaches the limits of Int, so the sums need no check.
struct JSONWriter {
    /// A value that is still to come, or a container. Its index in ``places`` stands for it
    /// everywhere. The place 0 is the whole text.
    struct Place {
        enum Kind {
            /// Nothing was encoded yet.
            case unset
            case scalar
            case array
            case object
        }

        var kind = Kind.unset
        /// Where the value begins, or is to begin.
        var start: Int
        /// Where the closing bracket of a closed container is.
        var end = 0
        /// Whether the container's closing bracket is still to be written.
        var isOpen = false
        /// How many elements or members a container has.
        var count = 0
        /// The index of the place of its container.
        let parent: Int
        /// How many containers are around it.
        let depth: Int
        /// The position among its container's elements or members.
        let ordinal: Int
        /// In an object the length of the name as it is written, without its quotation marks.
        let nameByteCount: Int
    }

    private(set) var text: [UInt8] = []
    private(set) var places: ContiguousArray<Place>
    /// The containers that are open, the innermost last.
    private var open: ContiguousArray<Int> = []

    init() {
        text.reserveCapacity(1_000)
        places = [Place(start: 0, parent: 0, depth: 0, ordinal: 0, nameByteCount: 0)]
    }

    /// A new element or, with a name, member whose value is still to come.
    mutating func add(name: String?, to container: Int) -> Int {
        let ordinal = places[container].count
        let pieceStart = appendSeparator(andName: name, in: container)
        // The piece is `"name":` or, after an earlier member, `,"name":`.
        let comma = ordinal > 0 ? 1 : 0
        let nameByteCount = name == nil ? 0 : text.count &- pieceStart &- 3 &- comma
        let start = moveToEnd(of: container, from: pieceStart)
        places.append(
            Place(
                start: start, parent: container, depth: places[container].depth &+ 1,
                ordinal: ordinal, nameByteCount: nameByteCount))
        return places.count &- 1
    }

    /// A new element or member that is a scalar.
    /// - Returns: false for a number that is not finite.
    @inline(__always)
    mutating func add(name: String?, to container: Int, scalar value: some JSONScalar) -> Bool {
        let pieceStart = appendSeparator(andName: name, in: container)
        let isWritten = value.append(to: &text)
        moveToEnd(of: container, from: pieceStart)
        return isWritten
    }

    /// Writes a scalar in a place.
    /// - Returns: false for a number that is not finite.
    mutating func set(_ position: Int, scalar value: some JSONScalar) -> Bool {
        places[position].kind = .scalar
        let pieceStart = text.count
        let isWritten = value.append(to: &text)
        move(from: pieceStart, to: places[position].start)
        return isWritten
    }

    /// Makes a place that is unset an array or object.
    mutating func open(_ position: Int, as kind: Place.Kind) {
        places[position].kind = kind
        let start = places[position].start
        // If nothing was written after the place, the container is the innermost, and stays open.
        guard start < text.count else {
            text.append(Self.brackets(kind).opening)
            places[position].isOpen = true
            open.append(position)
            return
        }
        // Later text follows: an empty container is written and moved to its place.
        let pieceStart = text.count
        text.append(Self.brackets(kind).opening)
        text.append(Self.brackets(kind).closing)
        move(from: pieceStart, to: start)
        places[position].end = start &+ 1
    }

    /// A container outside of the text, for a type that asks for an array where it has encoded an
    /// object, say. ``JSONEncoding`` has recorded a fault then, so nobody gets the text.
    mutating func addStray(_ kind: Place.Kind) -> Int {
        var place = Place(
            start: text.count, parent: 0, depth: 0, ordinal: 0, nameByteCount: 0)
        place.kind = kind
        place.end = text.count
        places.append(place)
        return places.count &- 1
    }

    /// Ends the text. A place in which nothing was encoded becomes an empty object, as with
    /// `JSONEncoder`.
    mutating func finish() {
        closeContainers(inside: nil)
        for position in places.indices where places[position].kind == .unset {
            open(position, as: .object)
        }
        // An empty object at the end of the text was left open.
        closeContainers(inside: nil)
    }

    // MARK: - Moving

    /// Writes what goes before a value: a comma after an earlier value, and the name, if any.
    /// - Returns: where the piece begins.
    private mutating func appendSeparator(andName name: String?, in container: Int) -> Int {
        if places[container].isOpen { closeContainers(inside: container) }
        let pieceStart = text.count
        if places[container].count > 0 { text.append(UInt8(ascii: ",")) }
        places[container].count &+= 1
        if let name {
            JSONText.append(name, to: &text)
            text.append(UInt8(ascii: ":"))
        }
        return pieceStart
    }

    /// Moves the piece that was written from `pieceStart` on to the end of its container.
    /// - Returns: where the piece ends.
    @discardableResult
    private mutating func moveToEnd(of container: Int, from pieceStart: Int) -> Int {
        guard !places[container].isOpen else { return text.count }
        let end = places[container].end
        let count = text.count &- pieceStart
        move(from: pieceStart, to: end)
        return end &+ count
    }

    /// Moves the piece from `pieceStart` on to `start`, and shifts the places after `start`.
    private mutating func move(from pieceStart: Int, to start: Int) {
        // It stands there already.
        guard start < pieceStart else { return }
        let piece = Array(text[pieceStart...])
        text.removeSubrange(pieceStart...)
        text.insert(contentsOf: piece, at: start)
        for i in places.indices {
            if places[i].start > start { places[i].start &+= piece.count }
            if places[i].end >= start { places[i].end &+= piece.count }
        }
    }

    /// Closes the open containers, from the innermost up to `container`, which stays open; nil
    /// closes all.
    private mutating func closeContainers(inside container: Int?) {
        while let innermost = open.last, innermost != container {
            open.removeLast()
            places[innermost].isOpen = false
            places[innermost].end = text.count
            text.append(Self.brackets(places[innermost].kind).closing)
        }
    }

    private static func brackets(_ kind: Place.Kind) -> (opening: UInt8, closing: UInt8) {
        kind == .array
            ? (UInt8(ascii: "["), UInt8(ascii: "]")) : (UInt8(ascii: "{"), UInt8(ascii: "}"))
    }

    // MARK: - Paths

    /// The names and positions on the way to a place, such as `a`, 0: collected from the place
    /// upwards. The names are read from the text.
    func codingPath(to position: Int) -> [any CodingKey] {
        var path: [any CodingKey] = []
        var child = position
        while places[child].depth > 0 {
            let place = places[child]
            if places[place.parent].kind == .object {
                // A quotation mark and a colon stand between the name and the value.
                let end = place.start &- 2
                let name = String(
                    decoding: text[(end &- place.nameByteCount)..<end], as: UTF8.self)
                path.append(JSONKey(stringValue: name))
            } else {
                path.append(JSONKey(intValue: place.ordinal))
            }
            child = place.parent
        }
        return path.reversed()
    }
}
