// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform
internal import SignetVault

/// Records, for good, whether a program's secrets are in the desktop's keyring or in a vault, which
/// is a file. The record is the vault's path:
/// - there is a file with the *note*, for example "signet: the secrets of org.example.mail are in
///   the keyring's collection default": they are in the keyring;
/// - there is any other file: it is the vault;
/// - there is no file: nothing is decided yet. The first process that creates it decides.
struct KeyringOrVaultChoice: Sendable {
    enum Decision { case keyring, vault }

    /// The longest note. A vault has at least a page, 4,096 bytes.
    private static let noteByteCount = 511

    let path: String
    private let note: [UInt8]

    /// - Parameter path: nil for the application's standard path, whose folder is made.
    init(_ path: String?, options: SecretServiceOptions) throws(StoreError) {
        if let path {
            self.path = path
        } else {
            self.path = try FileVault.standardPath(application: options.application)
            try StandardFolders.makeFolder(of: self.path)
        }
        note = Array(
            ("signet: the secrets of \(options.application) are in the keyring's collection "
                + "\(options.collection)\n").utf8)
    }

    /// The recorded decision; nil while nothing is decided.
    func decision() throws(StoreError) -> Decision? {
        let place = try StoreError.translatingErrors { () throws(PrivatePlaceFailure) in
            try PrivatePlace.inspect(path: path)
        }
        // Nil if there is no file.
        guard place.identity != nil else { return nil }
        // A vault must not be opened as a file, because closing it would drop this process's locks.
        guard PrivatePlace.byteCount(ofFileAt: path) <= Self.noteByteCount else { return .vault }
        let found: [UInt8]?
        do throws(SystemFailure) {
            found = try PrivateFile.readRegular(path: path, maximumByteCount: Self.noteByteCount)?
                .bytes
        } catch {
            throw StoreError(.unavailable, "The note about the keyring is not readable: \(error).")
        }
        // Opening the path as a vault reports that it holds none.
        guard let found else { return .vault }
        guard found != note else { return .keyring }
        guard !found.starts(with: "signet: the secrets of ".utf8) else {
            throw StoreError(
                .invalidParameter,
                "\(path: path) says that the secrets are in the keyring, of another "
                    + "application or in another collection: name those, or give another path.")
        }
        return .vault
    }

    /// Notes that the secrets are in the keyring, unless another process has already decided.
    func decideForKeyring() throws(StoreError) {
        do throws(SystemFailure) {
            // For this user alone; without overwriting, a second process fails here.
            try PrivateFile.write(note.span, to: path, mode: 0o600, overwrite: false)
        } catch {
            guard !error.number.isNameTaken else { return }
            throw StoreError(
                .unavailable, "It could not be noted that the secrets are in the keyring: \(error)."
            )
        }
    }

    /// Creates the vault; nil if another process has already decided. If the options name the
    /// expected vault, or only read, none is created: opening the path reports that there is no
    /// vault.
    func decideForVault(
        _ options: VaultOptions, _ method: () throws(StoreError) -> any UnlockMethod
    ) throws(StoreError) -> FileVault? {
        guard options.expectedID == nil, !options.isReadOnly else {
            return try FileVault.open(at: path, options: options)
        }
        do {
            return try FileVault.create(at: path, with: method(), options: options)
        } catch {
            // With a file at the path, a second process was faster.
            guard error.code == .alreadyExists, PrivatePlace.identity(ofFileAt: path) != nil else {
                throw error
            }
            return nil
        }
    }
}
