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
            guard let unfinishedName = unfinishedFile(of: name) else { continue }
            let leftover = Location(folder: folder, name: name, identity: nil).path
            let unfinished = Location(folder: folder, name: unfinishedName, identity: nil).path
            guard isAbandoned(leftover, at: now) else { continue }
            if status(ofFileAt: unfinished) == nil {
                // A file of SQLite's, beside an unfinished file that is gone.
                _ = unsafe unlink(leftover.cPath)
            } else if name.utf8.elementsEqual(unfinishedName.utf8) {
                removeUnlessLocked(unfinished, at: now)
            }
            // What is left are SQLite's files beside an unfinished file: they go with it.
        }
    }

    /// Removes an unfinished file and SQLite's files beside it, unless a process has locked it.
    private static func removeUnlessLocked(_ path: String, at now: Int64) {
        guard let lock = TemporaryLock(ofFileAt: path) else { return }
        // Looked at again under the lock: its process may have written to it since.
        if isAbandoned(path, at: now) { removeTemporary(path) }
        withExtendedLifetime(lock) {}
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
        let afterDigits = octets[digits.endIndex...]
        for kind in [".new", ".export", ".tmp"] where afterDigits.starts(with: kind.utf8) {
            let suffix = afterDigits.dropFirst(kind.utf8.count)
            // Nothing for the file itself, or the suffix of a file that SQLite keeps beside it.
            guard ([""] + companionSuffixes).contains(where: { suffix.elementsEqual($0.utf8) })
            else { return nil }
            return String(decoding: octets[..<suffix.startIndex], as: UTF8.self)
        }
        return nil
    }
}
