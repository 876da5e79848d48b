// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

/// Gives a file and what SQLite keeps beside it another name in the same folder.
///
/// A log is useless without its file, and no system call renames two files at once. So the log
/// first gets its new name beside its old name (a hard link); then the file is renamed, which is
/// the step that counts; then the log's old name goes. A process killed in between leaves the file
/// with its log under the old name or the new name, and a log with two names, which
/// ``completeSettingAside(ofFileAt:)`` takes away. On a file system without hard links, a process
/// killed in between leaves the log alone under the old name.
extension PrivatePlace {
    /// The text that setting aside adds to a file's name; the day follows.
    static let asideMark = ".unreadable-"

    /// Moves the file, if there is one, and its companions to `name.unreadable-DAY`, or `-2`, `-3`
    /// and so on after that. Nothing is replaced or lost.
    ///
    /// The caller holds the ``FolderLock`` alone, and no process has the file open.
    ///
    /// - Parameter day: for example `2026-07-25`.
    /// - Returns: the new place.
    package static func setAside(
        _ location: Location, on day: String
    ) throws(PrivatePlaceFailure) -> Location {
        let target = try freeName(for: location, on: day)
        try move(location, to: target)
        return target
    }

    /// Moves the file, if there is one, and its companions to another name in the same folder,
    /// under the conditions of setting aside and as safe when killed. It moves them back, too.
    package static func move(
        _ location: Location, to target: Location
    ) throws(PrivatePlaceFailure) {
        var linked: [String] = []
        if location.identity != nil {
            linked = try linkCompanions(of: location, to: target)
            do {
                try rename(location.path, to: target.path)
            } catch {
                removeLinks(linked, of: target)
                throw error
            }
        }
        for suffix in companionSuffixes {
            let path = location.path + suffix
            if linked.contains(suffix) {
                guard unsafe unlink(path.cPath) == 0 else {
                    throw .system(errno, operation: "set aside", path: path)
                }
            } else if identity(ofFileAt: path) != nil {
                try rename(path, to: target.path + suffix)
            }
        }
        try synchronizeFolder(of: location)
    }

    /// Gives the log and the journal of a file a second name, beside the target. After an error
    /// neither has it.
    ///
    /// - Returns: the suffixes of the files that have it; none on a file system without hard links.
    private static func linkCompanions(
        of location: Location, to target: Location
    ) throws(PrivatePlaceFailure) -> [String] {
        var linked: [String] = []
        // SQLite makes the index (`-shm`) again from the log.
        for suffix in companionSuffixes where suffix != "-shm" {
            let path = location.path + suffix
            guard identity(ofFileAt: path) != nil else { continue }
            if unsafe link(path.cPath, (target.path + suffix).cPath) == 0 {
                linked.append(suffix)
                continue
            }
            let number = errno
            guard [EPERM, ENOSYS, ENOTSUP, EMLINK].contains(number) else {
                removeLinks(linked, of: target)
                throw .system(number, operation: "set aside", path: path)
            }
        }
        return linked
    }

    private static func removeLinks(_ suffixes: [String], of target: Location) {
        for suffix in suffixes { _ = unsafe unlink((target.path + suffix).cPath) }
    }

    /// Completes or undoes a setting aside that was killed: takes away one of the two names that
    /// its log has. It does nothing while another process holds the ``FolderLock``.
    ///
    /// - Returns: whether there was something to do.
    package static func completeSettingAside(ofFileAt path: String) -> Bool {
        let parts = PrivateFile.split(path)
        guard let folder = try? resolve(parts.folder, for: path) else { return false }
        let location = Location(folder: folder, name: parts.name, identity: nil)
        guard let lock = try? FolderLock(ofFileAt: location.path, held: .alone) else {
            return false
        }
        defer { lock.unlock() }
        return completeSettingAside(location)
    }

    private static func completeSettingAside(_ location: Location) -> Bool {
        let hasOldFile = identity(ofFileAt: location.path) != nil
        var isDone = false
        for name in PrivateFile.names(in: location.folder) ?? []
        where name.utf8.starts(with: (location.name + asideMark).utf8) {
            let newPath = Location(folder: location.folder, name: name, identity: nil).path
            for suffix in companionSuffixes
            where name.utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) {
                let hasRemoved = removeOneName(
                    ofCompanion: suffix, of: location, hasOldFile: hasOldFile, newPath: newPath)
                if hasRemoved { isDone = true }
            }
        }
        return isDone
    }

    /// Removes one of the two names of a companion, if the companion has two: the name that does
    /// not go with its file.
    ///
    /// - Parameters:
    ///   - suffix: the companion's, which ends both of its names.
    ///   - location: the file's old place.
    ///   - hasOldFile: whether there is a file at the old place.
    ///   - newPath: the companion's path beside the file that was set aside.
    /// - Returns: whether a name was removed.
    private static func removeOneName(
        ofCompanion suffix: String, of location: Location, hasOldFile: Bool, newPath: String
    ) -> Bool {
        let oldPath = location.path + suffix
        guard let companion = identity(ofFileAt: oldPath) else { return false }
        guard companion == identity(ofFileAt: newPath) else { return false }
        let newFile = String(decoding: newPath.utf8.dropLast(suffix.utf8.count), as: UTF8.self)
        // If the file still has its old name alone, nothing was moved yet. If there are files of
        // both names, the file with the old name was put there since, and the companion is not its
        // own.
        let isMoved = !hasOldFile || identity(ofFileAt: newFile) != nil
        let wrongPath = isMoved ? oldPath : newPath
        guard unsafe unlink(wrongPath.cPath) == 0 else { return false }
        // SQLite makes the index again from the log.
        if isMoved { _ = unsafe unlink((location.path + "-shm").cPath) }
        return true
    }

    /// The most files of one name that are set aside on one day.
    private static let maximumAsideCount = 10_000

    private static func freeName(
        for location: Location, on day: String
    ) throws(PrivatePlaceFailure) -> Location {
        for number in 1...maximumAsideCount {
            let name =
                location.name + asideMark + day + (number == 1 ? "" : "-\(number)")
            let target = Location(folder: location.folder, name: name, identity: nil)
            let isTaken = ([""] + companionSuffixes).contains {
                identity(ofFileAt: target.path + $0) != nil
            }
            if !isTaken { return target }
        }
        throw PrivatePlaceFailure(
            .taken, path: location.path + asideMark + day,
            reason:
                "10,000 files were set aside that day: remove the files that nobody needs")
    }
}
