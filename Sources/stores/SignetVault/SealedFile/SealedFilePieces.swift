// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetPlatform

/// Reads and writes a sealed file and its content in pieces, through the functions of a caller.
package enum SealedFilePieces {
    /// Reads into a part of a buffer; gives the number of octets read, and 0 at the end of the input
    /// alone.
    package typealias Reading = (inout [UInt8], Range<Int>) throws(SystemFailure) -> Int
    /// Writes all octets.
    package typealias Writing = (Span<UInt8>) throws(SystemFailure) -> Void

    /// The next `count` octets.
    static func octets(
        _ count: Int, reading read: Reading
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
        into buffer: inout [UInt8], at range: Range<Int>, reading read: Reading
    ) throws(SealedFileError) -> Int {
        do {
            return min(max(try read(&buffer, range), 0), range.count)
        } catch {
            throw .reading(error)
        }
    }

    static func write(_ bytes: Span<UInt8>, writing write: Writing) throws(SealedFileError) {
        do { try write(bytes) } catch { throw .writing(error) }
    }
}
