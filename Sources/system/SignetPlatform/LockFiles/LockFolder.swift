// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

/// A folder of lock files. Processes with different folders do not exclude each other.
package struct LockFolder: Sendable {
    private enum Place: Sendable {
        case state, runtime
        case beside(String)
    }

    private let place: Place
    private let variable: @Sendable (String) -> String?

    private init(_ place: Place, environment: [String: String]?) {
        self.place = place
        variable = { ProcessEnvironment.path($0, in: environment) }
    }

    /// `signet/locks` in the state folder of the XDG Base Directory Specification. That is
    /// `$XDG_STATE_HOME`, or `.local/state` in `$HOME` or, without `HOME`, in the account's home.
    /// Paths that are not absolute are ignored.
    ///
    /// - Parameter environment: nil for this process's.
    package init(environment: [String: String]? = nil) {
        self.init(.state, environment: environment)
    }

    /// `signet/locks` in the user's runtime folder: `$XDG_RUNTIME_DIR`, or `/run/user/UID`. A
    /// folder that is not this user's, or that any other user may write to (as in WSL), is not
    /// taken. If neither is, the state folder's `signet/locks`.
    ///
    /// - Parameter environment: nil for this process's.
    package static func ofRuntime(environment: [String: String]? = nil) -> LockFolder {
        LockFolder(.runtime, environment: environment)
    }

    /// `NAME.locks` beside a file.
    ///
    /// - Parameter path: the path of the file, whose folder `PrivatePlace` has inspected.
    package init(besideFileAt path: String) { self.init(.beside(path), environment: nil) }

    /// The folder's path. Nothing is checked or created.
    package func path() throws(PrivatePlaceFailure) -> String {
        switch place {
        case .beside(let file): return file + ".locks"
        case .runtime:
            let folders = [variable("XDG_RUNTIME_DIR"), "/run/user/\(geteuid())"]
            if let folder = folders.lazy.compactMap(UserFolder.absolute)
                .first(where: Self.isOwnFolder)
            {
                return "\(folder)/signet/locks"
            }
        case .state: break
        }
        guard
            let state = UserFolder.path("XDG_STATE_HOME", orInHome: ".local/state", variable)
        else {
            throw PrivatePlaceFailure(
                .missingFolder, path: "~/.local/state",
                reason: "this user has no home: set XDG_STATE_HOME")
        }
        return "\(state)/signet/locks"
    }

    /// Whether it is the runtime folder, which a service may find read-only.
    var isOfRuntime: Bool { if case .runtime = place { true } else { false } }

    /// The remedy that a message adds to a fault in the folder.
    package var advice: ErrorMessage {
        switch place {
        case .beside:
            "Processes lock files beside the vault to exclude each other, so its folder must be "
                + "one that this user can write to."
        case .runtime:
            "Processes lock files in this folder to exclude each other; XDG_RUNTIME_DIR names "
                + "another place for it."
        case .state:
            "Processes lock files in this folder to exclude each other; XDG_STATE_HOME names "
                + "another place for it."
        }
    }

    private static func isOwnFolder(_ path: String) -> Bool {
        guard let status = PrivatePlace.status(ofFileAt: path) else { return false }
        return status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid()
            && status.st_mode & 0o022 == 0
    }

    /// Creates the folder, and missing ones above it, for this user alone, and checks it.
    ///
    /// - Returns: its path without links.
    /// - Throws: a failure with `isInsecure` if the folder is another user's, or if a user besides
    ///   root may write to it, replace it, or replace a folder above it.
    func prepared() throws(PrivatePlaceFailure) -> String {
        let path = try path()
        try UserFolder.make(path)
        let resolved = try PrivatePlace.resolve(path, for: path)
        try PrivatePlace.checkOwnFolder(resolved)
        return resolved
    }
}
