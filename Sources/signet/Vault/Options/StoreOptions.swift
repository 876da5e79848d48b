// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetVault

/// Where secrets are kept.
enum StoreBackend: String, ExpressibleByArgument, CaseIterable {
    case file
    case secretService = "secret-service"
}

/// Which store, of whatever kind, and the way into it.
struct StoreOptions: ParsableArguments {
    @OptionGroup var file: FileStoreOptions
    @OptionGroup(title: "The keyring") var keyring: KeyringOptions

    /// Refuses what would be refused later, before anything is read or asked for.
    ///
    /// - Parameter sources: what else the command reads, as ``Input/checkStandardInput(_:)`` takes it.
    func check(reading sources: String?...) throws {
        try file.check(reading: sources)
        switch file.place.backend {
        case .file: try keyring.checkUnused()
        case .secretService: try keyring.check()
        }
        guard file.place.backend == .file || file.level == nil else {
            throw CommandFailure.usage("--read is for vaults in files.")
        }
        guard file.place.backend == .file || file.current.isEmpty else {
            throw CommandFailure.usage(
                "The keyring is unlocked by the desktop, not by Signet.",
                advice: "Leave out the options that name a passphrase or a key.")
        }
    }

    /// The store, unlocked.
    ///
    /// - Parameter prepare: what is to be read after it is clear that there is a store, and before anybody is asked for a passphrase.
    func open(prepare: () throws -> Void = {}) throws -> any SecureStore {
        switch file.place.backend {
        case .file:
            let vault = try file.openLocked()
            try prepare()
            try file.unlock(vault)
            return vault
        case .secretService:
            let service = try keyring.open(timeout: file.place.time.timeout)
            try prepare()
            return service
        }
    }

    /// Files that no output may replace.
    var files: [String?] {
        get throws { file.current.files + [file.place.backend == .file ? try file.place.path().path : nil] }
    }
}
