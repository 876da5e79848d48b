// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetVault

/// Where secrets are kept.
enum StoreBackend: String, ExpressibleByArgument, CaseIterable {
    case file
    case secretService = "secret-service"
}

/// A command that works on a store of whatever kind. As for ``FileStoreCommand``, the groups are its own.
protocol StoreCommand: ParsableCommand {
    var place: StorePlaceOptions { get }
    var current: WayOptions<CurrentWay> { get }
    var reading: ReadingOptions { get }
    var keyring: KeyringOptions { get }
}

extension StoreCommand {
    var store: ChosenStore {
        ChosenStore(place: place, current: current, reading: reading, keyring: keyring)
    }
}

/// Which store, of whatever kind, and the way into it.
struct ChosenStore: FileStoreChoice {
    let place: StorePlaceOptions
    let current: WayOptions<CurrentWay>
    let reading: ReadingOptions
    let keyring: KeyringOptions

    /// Refuses what would be refused later, before anything is read or asked for.
    ///
    /// - Parameter sources: what else the command reads, as ``Input/checkStandardInput(_:)`` takes it.
    func check(reading sources: String?...) throws {
        try checkFile(reading: sources)
        switch place.backend {
        case .file: try keyring.checkUnused()
        case .secretService: try keyring.check()
        }
        guard place.backend == .file || (reading.level == nil && !reading.readOnly) else {
            throw CommandFailure.usage("--read and --read-only are for vaults in files.")
        }
        guard place.backend == .file || current.isEmpty else {
            throw CommandFailure.usage(
                "The keyring is unlocked by the desktop, not by Signet.",
                advice: "Leave out the options that name a passphrase or a key.")
        }
    }

    /// The store, unlocked.
    ///
    /// - Parameter prepare: what is to be read after it is clear that there is a store, and before anybody is asked for a passphrase.
    func open(prepare: () throws -> Void = {}) throws -> any SecureStore {
        switch place.backend {
        case .file:
            let vault = try openLocked()
            try prepare()
            try unlock(vault)
            return vault
        case .secretService:
            let service = try keyring.open(place.patience)
            try prepare()
            return service
        }
    }
}
