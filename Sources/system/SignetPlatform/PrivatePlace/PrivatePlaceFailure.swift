// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

/// Why a place is not used for a file with secrets. The description says what is wrong and how to
/// fix it.
package struct PrivatePlaceFailure: DescribedFailure, Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// The path is empty, too long, names a folder or cannot be passed on.
        case invalidPath
        /// The folder is not there.
        case missingFolder
        /// The system refused or failed: `errno` says why.
        case system
        /// The file is a folder, a device, a pipe, a socket.
        case notAFile
        /// The file is a symbolic link.
        case symbolicLink
        /// The file belongs to another user.
        case foreignOwner
        /// The file's permissions give other users access.
        case openToOthers
        /// The file has more than one name.
        case hardLinked
        /// Other users could exchange the file, or a folder above it.
        case insecureFolder
        /// The folder is on a network file system.
        case networkFileSystem
        /// A `-wal`, `-shm` or `-journal` file is there without its database.
        case leftover
        /// The name of a new file is taken.
        case taken
    }

    package let kind: Kind
    /// The system's error number; 0 unless the kind is `system`.
    package let errno: Int32
    private let path: String
    private let reason: String

    init(_ kind: Kind, path: String, reason: String) {
        self.kind = kind
        self.errno = 0
        self.path = path
        self.reason = reason
    }

    private init(errno: Int32, path: String, reason: String) {
        kind = .system
        self.errno = errno
        self.path = path
        self.reason = reason
    }

    /// A call that failed: `operation` is a verb phrase that the path completes.
    static func system(_ errno: Int32, operation: String, path: String) -> PrivatePlaceFailure {
        let failure = SystemFailure(
            operation: "\(operation) \(SystemFailure.quoted(path))", errno: errno)
        return PrivatePlaceFailure(errno: errno, path: path, reason: failure.description)
    }

    /// Whether other users could have read or changed the file: trying again does not help.
    package var isInsecure: Bool {
        switch kind {
        case .notAFile, .symbolicLink, .foreignOwner, .openToOthers, .hardLinked, .insecureFolder:
            true
        default: false
        }
    }

    /// Whether the system said that another process has the lock.
    package var isLockedByOther: Bool { kind == .system && errno == EWOULDBLOCK }

    package var description: String {
        kind == .system ? reason : "cannot use \(SystemFailure.quoted(path)): \(reason)"
    }

    /// A path as one word of a shell's command, safe to paste, which names that very file. A token
    /// or a key that was given as a path is not shown.
    package static func word(_ path: String) -> String {
        guard !SecretShape.isIn(path: path) else { return SecretShape.hidden }
        return PathText.quotedWord(path)
    }
}
