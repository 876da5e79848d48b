// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetVault

/// Which store a command works on, and the way into it. The options of the keyring alone are in
/// ``KeyringOptions``, which commands for vaults in files leave out.
///
/// Groups are not nested deeper than this: for each level, ArgumentParser checks a group four times
/// as often in debug builds, and one more level cost half a second.
struct StoreOptions: ParsableArguments {
    @OptionGroup(title: "The store") var place: PlaceOptions
    @OptionGroup(title: "The store") var waitingOptions: WaitingOptions
    @OptionGroup(title: "Unlocking a file") var current: WayOptions<CurrentWay>
    @OptionGroup var reading: ReadingOptions

    /// Refuses wrong options before anything is read and before the user is asked for anything.
    ///
    /// - Parameter sources: further files that the command reads, as
    ///   ``Input/checkStandardInput(_:)`` takes them.
    func check(reading sources: [String?] = []) throws {
        try waitingOptions.check()
        try place.check()
        try current.check()
        try reading.check()
        try Input.checkStandardInput([current.source] + sources)
    }

    /// The vault, locked. A missing vault is therefore found before the user is asked for a
    /// passphrase.
    func openLocked(level: ReadLevel = .strict) throws -> FileVault {
        var options = waitingOptions.vaultOptions
        options.isReadOnly = reading.readOnly
        options.anchor = reading.anchor.map(FileAnchor.init(path:))
        options.acceptsRestored = reading.acceptRestored
        options.readLevel = reading.level.map { $0 == .lazy ? .lazy : .strict } ?? level
        return try place.path().open(options)
    }

    /// The vault, unlocked.
    func open(level: ReadLevel = .strict) throws -> FileVault {
        let vault = try openLocked(level: level)
        try vault.unlock(with: method())
        return vault
    }

    /// The method that unlocks the vault.
    func method() throws -> any UnlockMethod { try current.method(waitingOptions) }
}

/// For a command that works on either kind of store.
extension StoreOptions {
    /// Refuses wrong options before anything is read and before the user is asked for anything.
    func check(or keyring: KeyringOptions, reading sources: [String?] = []) throws {
        try check(reading: sources)
        guard place.backend == .secretService else { return try keyring.checkUnused() }
        try keyring.check()
        try require(
            reading.isEmpty, otherwise: "--read, --read-only and --anchor are for vaults in files.")
        try require(
            current.isEmpty, otherwise: "The keyring is unlocked by the desktop, not by Signet.",
            advice: "Leave out the options that name a passphrase or a key.")
    }

    /// The store, unlocked.
    ///
    /// - Parameter prepare: runs once the store is known to exist, but before the user is asked for
    ///   a passphrase; reads what the command needs.
    func open(or keyring: KeyringOptions, prepare: () throws -> Void = {}) throws -> any SecureStore
    {
        switch place.backend {
        case .file:
            let vault = try openLocked()
            try prepare()
            try vault.unlock(with: method())
            return vault
        case .secretService:
            let service = try SystemKeyring.open(
                application: keyring.application, collection: keyring.collection,
                deadlineSeconds: waitingOptions.timeout, mayPrompt: waitingOptions.unlock)
            try prepare()
            return service
        }
    }
}
