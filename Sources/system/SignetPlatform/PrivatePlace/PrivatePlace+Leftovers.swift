// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

extension PrivatePlace {
    /// Removes unfinished files that killed processes left in a file's folder: names that only
    /// Signet uses, files of this user alone, untouched for an hour, which no process has locked
    /// (``TemporaryLock``).
    ///
    /// It looks at 10,000 names at most; a file that cannot be locked or removed stays.
    ///
    /// - Parameter now: seconds since 1970, as files are stamped.
    package static func removeLeftovers(
        besideFileAt path: String, now: Int64 = SystemClock.secondsSince1970()
    ) {
        let folder = PrivateFile.split(path).folder
        for name in PrivateFile.names(in: folder) ?? [] {
            guard let file = unfinishedFile(of: name) else { continue }
            let leftover = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
            let main = folder == "/" ? "/\(file)" : "\(folder)/\(file)"
            guard isAbandoned(leftover, at: now) else { continue }
            guard status(ofFileAt: main) != nil else {
                // SQLite's file beside a database that is gone.
                _ = unsafe unlink(leftover.cPath)
                continue
            }
            // SQLite's files beside an unfinished file go with it.
            guard name.utf8.elementsEqual(file.utf8),
                let lock = TemporaryLock(ofFileAt: main)
            else { continue }
            // Looked at again under the lock: its process may have written to it since.
            if isAbandoned(main, at: now) { removeTemporary(main) }
            withExtendedLifetime(lock) {}
        }
    }

    /// How old a leftover is, in seconds: a younger file may be in use.
    private static let leastLeftoverAge: Int64 = 3600

    /// Whether it is a file of this user alone that was not written to for an hour.
    private static func isAbandoned(_ path: String, at now: Int64) -> Bool {
        guard let status = status(ofFileAt: path), status.st_mode & S_IFMT == S_IFREG,
            status.st_uid == geteuid(), status.st_mode & 0o077 == 0
        else { return false }
        let (age, overflow) = now.subtractingReportingOverflow(Int64(status.st_mtim.tv_sec))
        return !overflow && age > leastLeftoverAge
    }

    /// The unfinished file to which a name belongs, the file itself or a file that SQLite keeps
    /// beside it; nil for any other name. The names are `.signet-`, up to 16 hexadecimal digits,
    /// and `.new`, `.export` or `.tmp`.
    private static func unfinishedFile(of name: String) -> String? {
        let octets = Array(name.utf8)
        let prefix = Array(".signet-".utf8)
        guard octets.starts(with: prefix) else { return nil }
        let digits = octets.dropFirst(prefix.count).prefix {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
        }
        guard (1...16).contains(digits.count) else { return nil }
        let rest = octets[digits.endIndex...]
        for kind in [".new", ".export", ".tmp"] where rest.starts(with: kind.utf8) {
            let suffix = rest.dropFirst(kind.utf8.count)
            guard ([""] + companionSuffixes).contains(where: { suffix.elementsEqual($0.utf8) })
            else { return nil }
            return String(decoding: octets[..<suffix.startIndex], as: UTF8.self)
        }
        return nil
    }
}
