// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge

/// Values by texts that others chose, hashed and compared by their bytes. Swift seeds its hash for
/// each process, so no document can be made to collide.
package struct ReceivedTextTable<Value: Sendable>: Sendable {
    private struct Key: Hashable {
        let text: ReceivedText

        static func == (a: Key, b: Key) -> Bool { a.text.isEqual(to: b.text) }

        func hash(into hasher: inout Hasher) { hasher.combine(text.utf8.span) }
    }

    private var values: [Key: Value]

    package init(minimumCapacity: Int = 0) { values = [Key: Value](minimumCapacity: minimumCapacity) }

    package var count: Int { values.count }

    /// The value of a text; nil when there is none.
    package subscript(text: ReceivedText) -> Value? {
        get { values[Key(text: text)] }
        set { values[Key(text: text)] = newValue }
    }

    /// The value of a text, put in where there is none.
    package subscript(text: ReceivedText, default value: @autoclosure () -> Value) -> Value {
        get { values[Key(text: text), default: value()] }
        _modify { yield &values[Key(text: text), default: value()] }
    }

    /// Whether every text and its value are so.
    package func allSatisfy(_ isSo: (ReceivedText, Value) -> Bool) -> Bool {
        values.allSatisfy { isSo($0.key.text, $0.value) }
    }
}
