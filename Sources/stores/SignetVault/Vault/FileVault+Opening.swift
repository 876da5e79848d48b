// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform

extension FileVault {
    /// Opens and unlocks a vault; creates it if it does not exist.
    ///
    /// If several processes call it at once, one process creates the vault and all open it. Only a
    /// missing file leads to a new vault: a locked, damaged or unreadable vault is an error.
    /// Nothing is created for options that name the expected vault (``VaultOptions/expectedID``) or
    /// only read.
    ///
    /// - Throws: the errors of ``open(at:options:)``, ``unlock(with:)`` and
    ///   ``create(at:with:options:)``; `alreadyExists` only for a file that came and went during
    ///   the call.
    public static func openOrCreate(
        at path: String, with method: any UnlockMethod, options: VaultOptions = VaultOptions()
    ) throws(StoreError) -> FileVault {
        let mayCreate = options.expectedID == nil && !options.isReadOnly
        if mayCreate, PrivatePlace.identity(ofFileAt: path) == nil {
            do {
                return try create(at: path, with: method, options: options)
            } catch {
                // Another process was faster.
                guard error.code == .alreadyExists, PrivatePlace.identity(ofFileAt: path) != nil
                else {
                    throw error
                }
            }
        }
        let vault = try open(at: path, options: options)
        try vault.unlock(with: method)
        return vault
    }

    /// Like ``openOrCreate(at:with:options:)``, at ``standardPath(application:)``. Creates the
    /// folder for this user alone if there is none.
    ///
    /// - Throws: also `invalidParameter` for the name, `unavailable` if the folder cannot be
    ///   created.
    public static func openOrCreate(
        application: String, with method: any UnlockMethod, options: VaultOptions = VaultOptions()
    ) throws(StoreError) -> FileVault {
        let path = try standardPath(application: application)
        try StandardFolders.makeFolder(of: path)
        return try openOrCreate(at: path, with: method, options: options)
    }

    /// The place for a program's data by the XDG Base Directory Specification:
    /// `vault.signet` in ``StandardFolders/data``. Nothing is checked or created.
    ///
    /// - Parameter application: the name of a folder, 1 to 128 octets, such as `org.example.mail`.
    /// - Throws: `invalidParameter` for a name that is empty, begins with a dot, or holds `/`, `..`
    ///   or a control character; `unavailable` if this user has no home.
    public static func standardPath(application: String) throws(StoreError) -> String {
        try standardPath(application: application, environment: nil)
    }

    package static func standardPath(
        application: String, environment: [String: String]?
    ) throws(StoreError) -> String {
        try StandardFolders.data(application, environment: environment) + "/vault.signet"
    }
}
