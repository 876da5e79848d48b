// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetMemory

/// Values by texts that others chose, hashed and compared by their bytes. Swift seeds its hash for
/// each process, so no document can be made to collide.
package struct ReceivedTextTable<Value: Sendable>: Sendable {
    /// In either form, so that neither who fills a table nor who asks it makes a copy.
    private enum Key: Hashable {
        case received(ReceivedText)
        case string(String)

        static func == (a: Key, b: Key) -> Bool {
            switch b {
            case .received(let text): a.isEqual(to: text.utf8.span)
            case .string(let text): a.isEqual(to: text.utf8.span)
            }
        }

        private func isEqual(to other: Span<UInt8>) -> Bool {
            switch self {
            case .received(let text): bytesAreEqual(text.utf8.span, other)
            case .string(let text): bytesAreEqual(text.utf8.span, other)
            }
        }

        func hash(into hasher: inout Hasher) {
            switch self {
            case .received(let text): hasher.combine(text.utf8.span)
            case .string(let text): hasher.combine(text.utf8.span)
            }
        }
    }

    private var values: [Key: Value]

    package init(minimumCapacity: Int = 0) {
        values = [Key: Value](minimumCapacity: minimumCapacity)
    }

    package var count: Int { values.count }

    /// The value of a text; nil when there is none.
    package subscript(text: ReceivedText) -> Value? {
        get { values[.received(text)] }
        set { values[.received(text)] = newValue }
    }

    /// The value of a text that a caller has, of a key in use for example.
    package subscript(text: String) -> Value? {
        get { values[.string(text)] }
        set { values[.string(text)] = newValue }
    }

    /// The value of a text, put in where there is none.
    package subscript(text: String, default value: @autoclosure () -> Value) -> Value {
        get { values[.string(text), default: value()] }
        _modify { yield &values[.string(text), default: value()] }
    }

    /// Whether another table has the same texts, and `isSame` holds of the values of each.
    package func hasSame(as other: ReceivedTextTable, _ isSame: (Value, Value) -> Bool) -> Bool {
        count == other.count
            && values.allSatisfy { key, value in
                other.values[key].map { isSame(value, $0) } ?? false
            }
    }
}
