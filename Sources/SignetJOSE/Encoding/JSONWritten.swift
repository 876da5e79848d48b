// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A text that an encoder has written together with its entries, which nobody has to read again.
struct JSONWritten: JSONEntries {
    /// The text, and what was kept in reserve behind it.
    let bytes: [UInt8]
    let byteCount: Int
    let records: ContiguousArray<JSONRecord>

    subscript(position: Int) -> JSONRecord { records[position] }

    /// The text alone.
    var text: [UInt8] {
        var text = bytes
        text.removeLast(text.count &- byteCount)
        return text
    }
}
