// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetVault

/// Which store a command works on.
struct StorePlaceOptions: ParsableArguments {
    @Option(
        name: .long, help: ArgumentHelp("Where secrets are kept.", valueName: "name"))
    var backend: StoreBackend = .file

    @Option(
        name: .long,
        help: ArgumentHelp("The vault's file. (default: $SIGNET_VAULT)", valueName: "file"),
        completion: .file())
    var vault: String?

    @OptionGroup var time: TimeoutOption

    /// The vault's file; refuses the other backend.
    func path() throws -> VaultPath {
        guard backend == .file else {
            throw CommandFailure.usage("This is for vaults in files: the keyring has nothing of the kind.")
        }
        return try VaultPath(vault)
    }

    func check() throws {
        try time.check()
        guard backend == .file || vault == nil else {
            throw CommandFailure.usage(
                "--vault names a file, and the keyring is none.", advice: "Leave --vault out, or --backend.")
        }
    }
}

/// How long others are waited for.
struct TimeoutOption: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Seconds to wait for other processes, or for the keyring: 1 to 600.", valueName: "seconds"))
    var timeout = 10

    func check() throws {
        guard (1...600).contains(timeout) else {
            throw CommandFailure.usage("--timeout takes 1 to 600 seconds.")
        }
    }
}

/// Which vault in a file, and the way into it.
struct FileStoreOptions: ParsableArguments {
    @OptionGroup(title: "The store") var place: StorePlaceOptions
    @OptionGroup(title: "Unlocking a file") var current: WayOptions<CurrentWay>

    @Option(
        name: .customLong("read"),
        help: ArgumentHelp("How much a read proves (Documentation/VAULT-FORMAT.md).", valueName: "level"))
    var level: LevelArgument?

    /// Refuses what would be refused later, before anything is read or asked for.
    func check(reading sources: String?...) throws { try check(reading: sources) }

    /// The same of a list.
    func check(reading sources: [String?]) throws {
        try place.check()
        _ = try current.way()
        try Input.checkStandardInput(all: ([current.source] + sources).compactMap(\.self))
    }

    /// The vault, unlocked.
    func open(level: ReadLevel = .automatic) throws -> FileVault {
        let vault = try openLocked(level: level)
        try unlock(vault)
        return vault
    }

    /// The vault, locked: before anybody is asked for a passphrase it is clear that there is one.
    func openLocked(level: ReadLevel = .automatic) throws -> FileVault {
        try FileVault.opened(
            place.path(), timeout: place.time.timeout, level: self.level?.level ?? level)
    }

    /// - Returns: the slot that opened.
    @discardableResult
    func unlock(_ vault: FileVault) throws -> [UInt8] {
        let finder = SlotFinder(try current.way().method(current.wording))
        try vault.unlock(with: finder)
        return finder.slot ?? []
    }
}

/// A read level as an argument.
enum LevelArgument: String, ExpressibleByArgument, CaseIterable {
    case automatic, lazy, strict, verify

    var level: ReadLevel {
        switch self {
        case .automatic: .automatic
        case .lazy: .lazy
        case .strict: .strict
        case .verify: .verify
        }
    }
}

extension FileVault {
    /// The vault in a file, locked.
    static func opened(_ path: VaultPath, timeout: Int, level: ReadLevel = .automatic) throws -> FileVault {
        var options = VaultOptions()
        options.readLevel = level
        options.busyTimeoutMilliseconds = timeout * 1000
        do throws(StoreError) {
            return try FileVault.open(at: path.path, options: options)
        } catch {
            var failure = CommandFailure(error)
            if error.code == .unavailable {
                failure.advice = "Make a vault with 'signet vault init', or name another: --vault FILE"
            }
            throw failure
        }
    }
}
