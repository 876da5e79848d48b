// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

/// SQLite's write-ahead log beside a database (sqlite.org/fileformat2.html, section 4), read from
/// outside. SQLite does not lock this file, so it may be opened and closed.
extension PrivatePlace {
    /// The bytes before the first frame of a log.
    package static let logHeaderByteCount: Int64 = 32
    /// The bytes of a frame before its page.
    package static let frameHeaderByteCount: Int64 = 24

    /// The size of a database's log in bytes; 0 if there is none.
    package static func logByteCount(ofFileAt path: String) -> Int64 {
        byteCount(ofFileAt: path + "-wal")
    }

    /// Whether a database's log holds nothing: no file, an empty file, or a file that was only
    /// lengthened by zeros. False if the log cannot be read.
    package static func hasEmptyLog(ofFileAt path: String) -> Bool {
        logByteCount(ofFileAt: path) == 0 || LogContent(ofFileAt: path)?.frameCount == 0
    }

    /// The size of a file in bytes; 0 if there is none. At most 2^60, so that sums do not overflow:
    /// a file with holes may be longer than any disk.
    package static func byteCount(ofFileAt path: String) -> Int64 {
        min(Int64(status(ofFileAt: path)?.st_size ?? 0), 1 << 60)
    }

    /// The number of transactions in a database's log, by its frames. Checksums are not verified:
    /// the caller must detect a count that is wrong for a torn log.
    ///
    /// - Returns: nil if the log cannot be read, or has no log header; 0 for a log of zeros, which
    ///   was lengthened before anything was written to it.
    package static func commitCount(inLogOf path: String) -> UInt64? {
        LogContent(ofFileAt: path)?.commitCount
    }

    /// The content of a log, by the headers of its frames.
    ///
    /// A log is a header, then frames. Each frame has a header and one page of the database as it
    /// was written. The last frame of a transaction says so in its header. A log is used again from
    /// its start, so frames of an earlier use may follow the frames that count.
    package struct LogContent: Equatable, Sendable {
        /// At most this many frames are in use: none that SQLite reads is after them.
        package private(set) var frameCount: Int64 = 0
        /// How many of these frames end with the last transaction that was committed.
        package private(set) var committedFrameCount: Int64 = 0
        /// How many pages the database has after that transaction; 0 if there is none.
        package private(set) var databasePageCount: Int64 = 0
        fileprivate private(set) var commitCount: UInt64 = 0
        private var header = [UInt8](
            repeating: 0, count: Int(PrivatePlace.logHeaderByteCount))

        /// - Returns: nil if the log cannot be read, or does not begin with a log's header or
        ///   zeros.
        package init?(ofFileAt path: String) {
            do {
                guard try readFrames(ofFileAt: path) else { return nil }
            } catch {
                return nil
            }
        }

        /// Counts the frames. A failed read is no end of the log: it would hide transactions.
        ///
        /// - Returns: false if the log does not begin with a log's header or zeros.
        private mutating func readFrames(ofFileAt path: String) throws(SystemFailure) -> Bool {
            let file = try FileDescriptor.open(path + "-wal", flags: O_RDONLY | O_NOFOLLOW)
            guard try PrivatePlace.fill(&header, from: file, at: 0) else { return false }
            // Zeros alone: the log was lengthened, and nothing was written to it.
            guard header.contains(where: { $0 != 0 }) else { return true }
            let pageSize = off_t(number(header, at: 8))
            // offset  size  field of the header (fileformat2, section 4.1; integers are big-endian)
            //      0     4  377f0682 or 377f0683
            //      4     4  format
            //      8     4  page size, 512 to 65,536
            //     12     4  number of the checkpoint
            //     16     8  salts
            //     24     8  checksum
            guard number(header, at: 0) & 0xffff_fffe == 0x377f_0682, pageSize >= 512,
                pageSize <= 65_536
            else {
                return false
            }
            // offset  size  field of a frame, which the page follows
            //      0     4  number of the page
            //      4     4  pages of the database after a commit; 0 in any other frame
            //      8     8  salts, those of the header
            //     16     8  checksum
            var frame = [UInt8](repeating: 0, count: Int(PrivatePlace.frameHeaderByteCount))
            var offset = off_t(PrivatePlace.logHeaderByteCount)
            // Frames from before the log last restarted have other salts. A page 0 ends the log
            // for SQLite, so holes of a hostile file cost no time.
            while try PrivatePlace.fill(&frame, from: file, at: offset) {
                guard frame[8..<16] == header[16..<24], number(frame, at: 0) != 0 else { break }
                frameCount += 1
                let pageCount = number(frame, at: 4)
                if pageCount != 0 {
                    commitCount += 1
                    committedFrameCount = frameCount
                    databasePageCount = Int64(pageCount)
                }
                offset += off_t(PrivatePlace.frameHeaderByteCount) + pageSize
            }
            return true
        }
    }

    /// Makes a log longer by zeros, in blocks that the disk has: SQLite reads a log up to the first
    /// frame without the salts of its header, and writes over what follows. The caller has the
    /// database's write lock, so no other process appends.
    ///
    /// - Throws: the system's failure, such as `ENOSPC`; the log is as long as before,
    ///   or ends with zeros if it cannot be cut, which SQLite does not read.
    package static func lengthenLog(
        ofFileAt path: String, to byteCount: Int64
    ) throws(SystemFailure) {
        let operation = "make the log of \(SystemFailure.quoted(path)) longer"
        let file = try FileDescriptor.open(path + "-wal", flags: O_WRONLY | O_NOFOLLOW)
        let number = file.number
        let before = off_t(try file.status(operation).st_size)
        let zeros = [UInt8](repeating: 0, count: 65_536)
        do throws(SystemFailure) {
            var end = before
            while end < off_t(byteCount) {
                let count = min(zeros.count, off_t(byteCount) - end)
                let written = unsafe zeros.withUnsafeBytes { zeros in
                    retrying { unsafe pwrite(number, zeros.baseAddress, count, end) }
                }
                guard written > 0 else { throw .last(operation) }
                end += off_t(written)
            }
            try file.synchronize(operation)
        } catch {
            _ = ftruncate(number, before)
            throw error
        }
    }

    /// Fills the buffer from an offset on; false if the file ends before.
    private static func fill(
        _ buffer: inout [UInt8], from file: borrowing FileDescriptor, at offset: off_t
    ) throws(SystemFailure) -> Bool {
        let descriptor = file.number
        let count = buffer.count
        let read = unsafe buffer.withUnsafeMutableBytes { bytes in
            retrying { unsafe pread(descriptor, bytes.baseAddress, count, offset) }
        }
        guard read >= 0 else { throw .last("read a log") }
        return read == count
    }

    /// A big-endian number of four octets.
    private static func number(_ octets: [UInt8], at offset: Int) -> UInt32 {
        octets.dropFirst(offset).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }
}
