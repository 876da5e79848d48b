// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform

/// Input that a command reads in pieces, of any length: a file, or standard input (nil or `-`).
struct StreamedInput: ~Copyable {
    /// Nil where `captured` stands for standard input.
    private let file: FileReader?
    private var captured: ArraySlice<UInt8>
    /// How many bytes a regular file says that it has; nil if it is none.
    let reportedByteCount: Int?
    /// How many bytes were read.
    private(set) var byteCount = 0

    /// Opens the input. A folder, and a file that is not there, are refused here.
    init(_ path: String?) throws {
        let path = path == "-" ? nil : path
        if path == nil, let streams = CapturedStreams.current {
            file = nil
            captured = streams.input[...]
            reportedByteCount = nil
            return
        }
        let reader: FileReader
        do {
            reader = try FileReader(path: path ?? "/dev/stdin")
        } catch {
            throw NamedFile.failure(error, reading: path)
        }
        reportedByteCount = reader.reportedByteCount
        file = consume reader
        captured = []
    }

    /// Reads once, into a part of the buffer; 0 at the end of the input.
    mutating func read(
        into buffer: inout [UInt8], at range: Range<Int>
    ) throws(SystemFailure) -> Int {
        if let count = try file?.read(into: &buffer, at: range) {
            byteCount += count
            return count
        }
        let piece = captured.prefix(range.count)
        buffer.replaceSubrange(range.prefix(piece.count), with: piece)
        captured = captured.dropFirst(piece.count)
        byteCount += piece.count
        return piece.count
    }
}
