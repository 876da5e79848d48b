// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

/// SQLite's write-ahead log beside a database (sqlite.org/fileformat2.html, section 4), read from
/// outside. SQLite does not lock this file, so it may be opened and closed.
extension VaultPlace {
    /// The size of a database's log in bytes; 0 if there is none.
    package static func logByteCount(ofFileAt path: String) -> Int64 {
        byteCount(ofFileAt: path + "-wal")
    }

    /// The size of a file in bytes; 0 if there is none.
    package static func byteCount(ofFileAt path: String) -> Int64 {
        Int64(status(ofFileAt: path)?.st_size ?? 0)
    }

    /// The number of transactions in a database's log, by its frames. Checksums are not verified:
    /// the caller must detect a count that is wrong for a torn log.
    ///
    /// - Returns: nil if the log cannot be read, or has no log header.
    package static func commitCount(inLogOf path: String) -> UInt64? {
        guard let file = try? FileDescriptor.open(path + "-wal", O_RDONLY | O_NOFOLLOW) else {
            return nil
        }
        var header = [UInt8](repeating: 0, count: 32)
        guard read(file, at: 0, into: &header) else { return nil }
        let pageSize = off_t(number(header, at: 8))
        guard number(header, at: 0) & 0xffff_fffe == 0x377f_0682, pageSize >= 512,
            pageSize <= 65_536
        else {
            return nil
        }
        var commits: UInt64 = 0
        var frame = [UInt8](repeating: 0, count: 24)
        var place: off_t = 32
        // Frames from before the log last restarted have other salts.
        while read(file, at: place, into: &frame), frame[8..<16] == header[16..<24] {
            if number(frame, at: 4) != 0 { commits += 1 }
            place += 24 + pageSize
        }
        return commits
    }

    private static func read(
        _ file: borrowing FileDescriptor, at place: off_t, into buffer: inout [UInt8]
    ) -> Bool {
        let (descriptor, count) = (file.number, buffer.count)
        let read = unsafe buffer.withUnsafeMutableBytes { bytes in
            retrying { unsafe pread(descriptor, bytes.baseAddress, count, place) }
        }
        return read == count
    }

    private static func number(_ octets: [UInt8], at place: Int) -> UInt32 {
        octets.dropFirst(place).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }
}
