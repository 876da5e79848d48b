// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

/// Where the lock files are: `signet/locks` in the state folder of the XDG Base Directory
/// Specification, which is `$XDG_STATE_HOME`, else `.local/state` in `$HOME` or, without that, in
/// the home of the user's account. Paths that are not absolute do not count.
///
/// Processes that are told different folders do not exclude each other.
package struct LockFolder: Sendable {
    private let variable: @Sendable (String) -> String?

    /// The folder that this process's environment names.
    package init() { variable = ProcessEnvironment.value }

    /// The folder that another environment names.
    package init(environment: [String: String]) { variable = { environment[$0] } }

    /// The folder's path; nothing is looked at or made.
    package func path() throws(VaultPlaceFailure) -> String {
        if let state = absolute(variable("XDG_STATE_HOME")) { return "\(state)/signet/locks" }
        guard let home = absolute(variable("HOME")) ?? absolute(Self.accountHome()) else {
            throw VaultPlaceFailure(
                .missingFolder, "~/.local/state", "this user has no home: set XDG_STATE_HOME")
        }
        return "\(home)/.local/state/signet/locks"
    }

    /// Makes the folder, and those above it that are missing, for this user alone, and checks it.
    ///
    /// - Returns: its path without links.
    /// - Throws: a failure with `isInsecure` when it is another user's, when others may write to it
    ///   or replace it, or when everybody or another user may replace a folder above.
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
        // Some file systems say something else first of a folder that is there.
        guard number != EEXIST, VaultPlace.identity(ofFileAt: path) == nil else { return }
        guard number == ENOENT else { throw .system(number, operation, path) }
        try make(PrivateFile.split(path).folder, depth: depth + 1)
        guard unsafe mkdir(path, 0o700) != 0, errno != EEXIST else { return }
        throw .system(errno, operation, path)
    }

    private func absolute(_ path: String?) -> String? {
        path.flatMap { $0.utf8.first == UInt8(ascii: "/") ? $0 : nil }
    }

    private static func accountHome() -> String? {
        var buffer = [CChar](repeating: 0, count: 16_384)
        var entry = unsafe passwd()
        var found: UnsafeMutablePointer<passwd>?
        return unsafe buffer.withUnsafeMutableBufferPointer { buffer -> String? in
            guard let room = buffer.baseAddress,
                unsafe getpwuid_r(geteuid(), &entry, room, buffer.count, &found) == 0,
                unsafe found != nil, let home = unsafe entry.pw_dir
            else { return nil }
            return unsafe String(validatingCString: home)
        }
    }
}
