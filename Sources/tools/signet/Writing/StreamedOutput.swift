// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform

/// Output that a command writes in pieces: to standard output at once, to a file so that it has its
/// name only when all of it is written (`PrivateFileWriter`).
struct StreamedOutput: ~Copyable {
    private let file: OutputFile
    /// Nil for standard output.
    private let writer: PrivateFileWriter?
    /// How many bytes were written.
    private(set) var byteCount: Int64 = 0

    /// - Parameter file: what ``OutputFile/check(keeping:)`` has accepted.
    init(to file: OutputFile) throws {
        self.file = file
        writer = try file.writer()
    }

    mutating func write(_ bytes: Span<UInt8>) throws(SystemFailure) {
        if writer != nil {
            try writer?.write(bytes)
        } else {
            try Output.write(bytes, to: .output)
        }
        byteCount += Int64(bytes.count)
    }

    /// Gives the file its name.
    consuming func finish() throws {
        let file = file
        do {
            try writer?.finish()
        } catch {
            throw file.failure(writing: error)
        }
    }
}
