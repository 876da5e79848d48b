// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

/// Files that are only read: on a read-only file system, or by choice.
extension PrivatePlace {
    /// Whether the file system of a file, or of its folder, is mounted read-only here. Other
    /// machines or mounts may still write to it.
    package static func isMountedReadOnly(_ location: Location) -> Bool {
        [location.path, location.folder].contains { path in
            var status = statvfs()
            return unsafe statvfs(path.cPath, &status) == 0 && status.f_flag & UInt(ST_RDONLY) != 0
        }
    }

    /// How many bytes this process may still write on a file's file system, at most 2^60; nil if
    /// unknown. Quotas are not considered.
    package static func freeByteCount(besideFileAt path: String) -> Int64? {
        var status = statvfs()
        guard !path.utf8.contains(0), unsafe statvfs(path.cPath, &status) == 0 else { return nil }
        let blocks = geteuid() == 0 ? status.f_bfree : status.f_bavail
        let (bytes, overflow) = UInt64(blocks).multipliedReportingOverflow(
            by: UInt64(status.f_frsize))
        return overflow ? nil : Int64(min(bytes, 1 << 60))
    }

    /// A file's appearance from outside: its identity, length and times. It differs after a write,
    /// unless the times were set back and the length is the same.
    package struct Stamp: Hashable, Sendable {
        private let identity: Identity
        private let byteCount: Int64
        private let times: [Int]

        init(_ status: stat) {
            identity = Identity(status)
            byteCount = Int64(status.st_size)
            times = [
                status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec,
                status.st_ctim.tv_nsec,
            ]
        }
    }

    /// The stamp of a file; nil if none can be seen.
    package static func stamp(ofFileAt path: String) -> Stamp? {
        status(ofFileAt: path).map(Stamp.init)
    }
}
