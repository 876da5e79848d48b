// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

extension VaultPlace {
    /// Removes unfinished files that killed processes left in a file's folder: names that only
    /// Signet uses, files of this user alone, untouched for a day. A process that still writes one
    /// has touched it since.
    ///
    /// It looks at 10,000 names at most; what cannot be removed stays.
    package static func removeLeftovers(besideFileAt path: String) {
        let folder = PrivateFile.split(path).folder
        let now = SystemClock.secondsSince1970()
        forEachName(in: folder) { name in
            guard isTemporary(name) else { return }
            let leftover = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
            guard let status = status(ofFileAt: leftover), status.st_mode & S_IFMT == S_IFREG,
                status.st_uid == geteuid(), status.st_mode & 0o077 == 0,
                now - Int64(status.st_mtim.tv_sec) > 24 * 3600
            else { return }
            _ = unsafe unlink(leftover)
        }
    }

    /// The first 10,000 names in a folder, in no order; none if it cannot be read.
    static func forEachName(in folder: String, _ body: (String) -> Void) {
        guard let stream = unsafe opendir(folder) else { return }
        defer { _ = unsafe closedir(stream) }
        for _ in 0..<10_000 {
            guard let entry = unsafe readdir(stream) else { return }
            body(
                unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                    unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) {
                        unsafe String(cString: $0)
                    }
                })
        }
    }

    /// `.signet-`, up to 16 hexadecimal digits, and what the file was to become.
    private static func isTemporary(_ name: String) -> Bool {
        let octets = Array(name.utf8)
        let prefix = Array(".signet-".utf8)
        guard octets.starts(with: prefix) else { return false }
        let rest = octets.dropFirst(prefix.count)
        let digits = rest.prefix {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
        }
        let suffix = String(decoding: rest.dropFirst(digits.count), as: UTF8.self)
        let kinds = [".new", ".export", ".tmp"]
        return (1...16).contains(digits.count)
            && kinds.contains { kind in
                ([""] + companionSuffixes).contains { suffix.utf8.elementsEqual((kind + $0).utf8) }
            }
    }
}
