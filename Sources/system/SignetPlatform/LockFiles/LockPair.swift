// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

/// The lock files of one name in two folders, held together: the folder where older versions of
/// Signet look, and the folder where this version looks.
///
/// Every holder takes the older folder's file first, so no two holders wait for each other.
package final class LockPair: Sendable {
    private let files: [LockFile]

    /// Opens both files without locking them.
    ///
    /// The older folder is left out if it is the same, or if no file can be opened there: on a file
    /// system that is read-only or full, or in a home that is missing or closed to this process. An
    /// older program in the same environment then finds no lock either, and reports that. A runtime
    /// folder in which no file can be opened, for example a hardened service's, is left out too if
    /// the older folder is there. A folder that other users could write to stays an error.
    ///
    /// - Parameters:
    ///   - name: the files' name: 1 to 64 hexadecimal digits.
    ///   - folder: where this version looks.
    ///   - old: where older versions look.
    /// - Throws: the errors of ``LockFile``.
    package init(
        named name: String, in folder: LockFolder, after old: LockFolder
    ) throws(PrivatePlaceFailure) {
        let olderFile = try Self.openIfPossible(name, in: old)
        let mayLeaveOut = olderFile != nil && folder.isOfRuntime
        let file =
            mayLeaveOut
            ? try Self.openIfPossible(name, in: folder) : try LockFile(named: name, in: folder)
        guard let file else {
            files = [olderFile].compactMap(\.self)
            return
        }
        guard let olderFile else {
            files = [file]
            return
        }
        // The identity decides: a path may lead through links.
        let isSame =
            PrivatePlace.identity(ofFileAt: olderFile.path)
            == PrivatePlace.identity(ofFileAt: file.path)
        files = isSame ? [file] : [olderFile, file]
    }

    /// Locks both files without waiting, unless another holder has a lock. If only the first is
    /// locked, it stays locked: try again, or call ``release()``.
    ///
    /// - Returns: whether all files are locked now.
    package func tryLocking() throws(PrivatePlaceFailure) -> Bool {
        for file in files {
            guard try file.tryLocking() else { return false }
        }
        return true
    }

    /// Locks both files, and blocks the calling thread until they are free.
    ///
    /// - Parameters:
    ///   - limit: how long to try, for all files together; the first attempt is always made.
    ///   - givesUp: checked before each attempt.
    /// - Returns: whether they are locked.
    package func lockBlocking(
        within limit: Duration, unless givesUp: () -> Bool
    ) throws(PrivatePlaceFailure) -> Bool {
        try LockPauses.askBlocking(within: limit, unless: givesUp) {
            () throws(PrivatePlaceFailure) in try tryLocking()
        }
    }

    /// The process that holds a file that this object could not lock; nil where the system does not
    /// tell.
    package var holder: LockHolder? {
        for file in files where (try? file.tryLocking()) != true { return file.holders.first }
        return nil
    }

    /// Frees all locks.
    package func release() {
        for file in files.reversed() { file.release() }
    }

    /// Opens a lock file; nil if none can be opened there, for a harmless reason.
    private static func openIfPossible(
        _ name: String, in folder: LockFolder
    ) throws(PrivatePlaceFailure) -> LockFile? {
        do {
            return try LockFile(named: name, in: folder)
        } catch {
            if error.kind == .missingFolder { return nil }
            let harmlessNumbers = [
                EROFS, EACCES, EPERM, ENOENT, ENOTDIR, ENOSPC, EDQUOT, ENAMETOOLONG,
            ]
            guard error.kind == .system, harmlessNumbers.contains(error.errno) else { throw error }
            return nil
        }
    }
}

extension LockHolder {
    /// A sentence on who has a lock, with the remedy if that process was stopped.
    package var sentence: ErrorMessage {
        isStopped
            ? "Process \(process) (\(shown: name)) has it, and was stopped: let it go on with "
                + "'kill -CONT \(process)'. Ending it may lose what it is doing."
            : "Process \(process) (\(shown: name)) has it."
    }
}
