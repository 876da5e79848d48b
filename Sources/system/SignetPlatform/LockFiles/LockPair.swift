// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

/// The lock files of one name in two folders, held together: the one where older versions of Signet
/// look, and the one where this version does.
///
/// Everyone takes the older place first, so no two wait for each other.
package final class LockPair: Sendable {
    private let files: [LockFile]

    /// Opens both without locking them.
    ///
    /// The older place is left out if it is the same, or if it cannot be opened there: a file system
    /// that is read-only or full, or a home that is missing or closed to this process. An older
    /// program in the same environment then finds no lock either, and reports that. So is a runtime
    /// folder of which that is true, such as a hardened service's, if the older place is there. A
    /// place that others could write to stays an error.
    ///
    /// - Parameters:
    ///   - name: the files' name: 1 to 64 hexadecimal digits.
    ///   - folder: where this version looks.
    ///   - old: where older versions do.
    /// - Throws: the errors of ``LockFile``.
    package init(
        named name: String, in folder: LockFolder, after old: LockFolder
    ) throws(PrivatePlaceFailure) {
        let older = try Self.open(name, in: old)
        let file =
            older != nil && folder.isOfRuntime
            ? try Self.open(name, in: folder) : try LockFile(named: name, in: folder)
        guard let file else {
            files = [older].compactMap(\.self)
            return
        }
        // The identity decides: a path may lead through links.
        let isSame = older.map {
            PrivatePlace.identity(ofFileAt: $0.path) == PrivatePlace.identity(ofFileAt: file.path)
        }
        files = isSame == false ? [older, file].compactMap(\.self) : [file]
    }

    /// Locks both unless others hold one. It does not wait, and may keep the first: try again, or
    /// release it.
    ///
    /// - Returns: whether both are locked now.
    package func tryLocking() throws(PrivatePlaceFailure) -> Bool {
        for file in files {
            guard try file.tryLocking() else { return false }
        }
        return true
    }

    /// Locks both, and blocks the calling thread until no others hold them.
    ///
    /// - Parameters:
    ///   - limit: for both together.
    ///   - givesUp: checked before each attempt.
    /// - Returns: whether they are locked.
    package func lockBlocking(
        within limit: Duration, unless givesUp: () -> Bool
    ) throws(PrivatePlaceFailure) -> Bool {
        try LockPauses.askBlocking(within: limit, unless: givesUp) {
            () throws(PrivatePlaceFailure) in try tryLocking()
        }
    }

    /// The process that holds the one that this object lacks; nil where the system does not tell.
    package var holder: LockHolder? {
        for file in files where (try? file.tryLocking()) != true { return file.holders.first }
        return nil
    }

    /// Frees both.
    package func release() {
        for file in files.reversed() { file.release() }
    }

    private static func open(
        _ name: String, in folder: LockFolder
    ) throws(PrivatePlaceFailure) -> LockFile? {
        do {
            return try LockFile(named: name, in: folder)
        } catch {
            let harmless = [
                EROFS, EACCES, EPERM, ENOENT, ENOTDIR, ENOSPC, EDQUOT, ENAMETOOLONG,
            ]
            guard
                error.kind == .missingFolder
                    || error.kind == .system && harmless.contains(error.errno)
            else { throw error }
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
