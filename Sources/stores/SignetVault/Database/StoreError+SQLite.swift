// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SQLiteBridge
internal import SignetPlatform

extension StoreError {
    /// A failure of SQLite, as a sentence with the remedy. It holds nothing of the file's content.
    init(_ failure: SQLiteFailure, path: String) {
        switch failure.kind {
        case .busy:
            self.init(
                .busy,
                "Another process writes to \(path: path) for longer than was waited. Try again, or wait longer."
            )
        case .corrupt:
            self.init(
                .corrupt,
                "The database file \(path: path) is damaged. Restore a backup, or salvage what is left of it."
            )
        case .notADatabase:
            self.init(.notAVault, "\(path: path) is not a vault: it is not an SQLite database.")
        case .full:
            self = .diskFull(
                of: path,
                message:
                    "The disk of \(path: path) is full: nothing was written. Make room and try again. To read, "
                    + "open the vault to be read only, which writes nothing beside it.")
        case .readOnly:
            self.init(
                .unavailable,
                "\(path: path) cannot be written: it, its folder or its file system is read-only. SQLite "
                    + "writes beside it even to read, unless the vault is opened to be read only."
            )
        case .cannotOpen:
            self.init(
                .unavailable,
                "\(path: path) cannot be opened. Check the path and the permissions of its folder.")
        case .permission:
            self.init(
                .unavailable,
                "Access to \(path: path) was refused. Check its permissions and its owner.")
        case .io:
            self.init(
                .unavailable,
                "Reading or writing \(path: path) failed (\(shown: failure.operation), code \(failure.extendedCode), errno \(failure.systemErrno)). Check the disk, its free space and the limits of the process."
            )
        case .outOfMemory:
            self.init(.unavailable, "There is not enough memory to work on \(path: path).")
        case .tooBig:
            self.init(.corrupt, "A row of \(path: path) is longer than any that a vault writes.")
        case .constraint:
            self.init(
                .corrupt,
                "The rows of \(path: path) contradict each other. Restore a backup, or salvage what is left of it."
            )
        case .unsupported:
            self.init(
                .unsupported,
                "The SQLite library on this machine is too old, or was built without what a vault needs."
            )
        case .misuse, .other:
            self.init(
                .unavailable,
                "SQLite failed on \(path: path) (\(shown: failure.operation), code \(failure.extendedCode))."
            )
        }
    }
}
