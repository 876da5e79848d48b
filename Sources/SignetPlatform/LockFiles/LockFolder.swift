// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

/// The folder of lock files: `signet/locks` in the state folder of the XDG Base Directory
/// Specification. That is `$XDG_STATE_HOME`, or `.local/state` in `$HOME` or, without that, in the
/// account's home. Paths that are not absolute are ignored.
///
/// Processes with different folders do not exclude each other.
package struct LockFolder: Sendable {
    private let variable: @Sendable (String) -> String?

    /// The folder that this process's environment names.
    package init() { variable = ProcessEnvironment.value }

    /// The folder that another environment names.
    package init(environment: [String: String]) { variable = { environment[$0] } }

    /// The folder's path. Nothing is checked or created.
    package func path() throws(VaultPlaceFailure) -> String {
        guard
            let state = UserFolder.path("XDG_STATE_HOME", orInHome: ".local/state", variable)
        else {
            throw VaultPlaceFailure(
                .missingFolder, "~/.local/state", "this user has no home: set XDG_STATE_HOME")
        }
        return "\(state)/signet/locks"
    }

    /// Creates the folder, and missing ones above it, for this user alone, and checks it.
    ///
    /// - Returns: its path without links.
    /// - Throws: a failure with `isInsecure` if it is another user's, if others may write to it or
    ///   replace it, or if everyone or another user may replace a folder above.
    func prepared() throws(VaultPlaceFailure) -> String {
        let path = try path()
        try Self.make(path, depth: 0)
        let resolved = try VaultPlace.resolve(path, for: path)
        try VaultPlace.checkOwnFolder(resolved)
        return resolved
    }

    private static func make(_ path: String, depth: Int) throws(VaultPlaceFailure) {
        let operation = "make the folder"
        guard !path.utf8.contains(0), path.utf8.count < PATH_MAX, depth < 100 else {
            throw .system(ENAMETOOLONG, operation, path)
        }
        if unsafe mkdir(path, 0o700) == 0 { return }
        let number = errno
        // For an existing folder some file systems report another error first.
        guard number != EEXIST, VaultPlace.identity(ofFileAt: path) == nil else { return }
        guard number == ENOENT else { throw .system(number, operation, path) }
        try make(PrivateFile.split(path).folder, depth: depth + 1)
        guard unsafe mkdir(path, 0o700) != 0, errno != EEXIST else { return }
        throw .system(errno, operation, path)
    }
}
