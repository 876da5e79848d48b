// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A text and the entries of the index over it: of a document that was read, or of one that has just been written.
protocol JSONEntries {
    /// The text, and perhaps more behind it, where no entry points.
    var bytes: [UInt8] { get }
    /// An entry.
    subscript(position: Int) -> JSONRecord { get }
}
