// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Reads and writes a sealed file and its content in pieces, through the functions of a caller.
enum SealedFilePieces {
    /// The next `count` octets.
    static func octets(
        _ count: Int, reading read: SealedFileReading
    ) throws(SealedFileError) -> [UInt8] {
        var octets = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let more = try Self.read(into: &octets, at: done..<count, reading: read)
            guard more > 0 else { throw .notSealed }
            done += more
        }
        return octets
    }

    /// Reads once. Never trusts a count beyond the range.
    static func read(
        into buffer: inout [UInt8], at range: Range<Int>, reading read: SealedFileReading
    ) throws(SealedFileError) -> Int {
        do {
            return min(max(try read(&buffer, range), 0), range.count)
        } catch {
            throw .reading(error)
        }
    }

    static func write(_ bytes: Span<UInt8>, writing write: SealedFileWriting)
        throws(SealedFileError)
    {
        do { try write(bytes) } catch { throw .writing(error) }
    }
}
