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

    @Option(name: .long, help: PatienceOptions.timeoutHelp)
    var timeout = 10

    @Flag(name: .long, help: PatienceOptions.unlockHelp)
    var unlock = false

    var patience: Patience { Patience(seconds: timeout, mayPrompt: unlock) }

    /// The vault's file; refuses the other backend.
    func path() throws -> VaultPath {
        guard backend == .file else {
            throw CommandFailure.usage(
                "This is for vaults in files: the keyring has nothing of the kind.")
        }
        return try VaultPath(vault)
    }

    func check() throws {
        try patience.check()
        guard backend == .file || vault == nil else {
            throw CommandFailure.usage(
                "--vault names a file, and the keyring is none.",
                advice: "Leave --vault out, or --backend.")
        }
    }
}

/// How long others are waited for, and whether the desktop may ask a person.
struct Patience {
    let seconds: Int
    let mayPrompt: Bool

    func check() throws {
        guard (1...600).contains(seconds) else {
            throw CommandFailure.usage("--timeout takes 1 to 600 seconds.")
        }
    }
}

/// The same for a command that is not about one store.
struct PatienceOptions: ParsableArguments {
    static let timeoutHelp = ArgumentHelp(
        "Seconds to wait for other processes, or for the keyring: 1 to 600.", valueName: "seconds")
    static let unlockHelp: ArgumentHelp =
        "Have the desktop ask to unlock the keyring, where it is locked, or to make one, where none is."

    @Option(name: .long, help: timeoutHelp)
    var timeout = 10

    @Flag(name: .long, help: unlockHelp)
    var unlock = false

    var patience: Patience { Patience(seconds: timeout, mayPrompt: unlock) }
}

/// A command that works on a vault in a file.
///
/// The groups are the command's own and not groups inside of one group: in debug builds ArgumentParser checks each group four times for each
/// group that it is in, which took half a second.
protocol FileStoreCommand: ParsableCommand {
    var place: StorePlaceOptions { get }
    var current: WayOptions<CurrentWay> { get }
    var reading: ReadingOptions { get }
}

extension FileStoreCommand {
    var store: ChosenFileStore { ChosenFileStore(place: place, current: current, reading: reading) }
}

/// Which vault in a file, and the way into it.
struct ChosenFileStore: FileStoreChoice {
    let place: StorePlaceOptions
    let current: WayOptions<CurrentWay>
    let reading: ReadingOptions

    /// Refuses what would be refused later, before anything is read or asked for.
    func check(reading sources: String?...) throws { try checkFile(reading: sources) }

    /// The same of a list.
    func check(reading sources: [String?]) throws { try checkFile(reading: sources) }

    /// The vault, unlocked.
    func open(level: ReadLevel = .strict) throws -> FileVault {
        let vault = try openLocked(level: level)
        try unlock(vault)
        return vault
    }
}

/// How much a read is to prove.
struct ReadingOptions: ParsableArguments {
    @Option(name: .customLong("read"), help: LevelArgument.help)
    var level: LevelArgument?

    @Flag(name: .long, help: Self.readOnlyHelp)
    var readOnly = false

    static let readOnlyHelp: ArgumentHelp =
        "Take no lock and write nothing, not even beside the vault; its file must not change meanwhile."
}

/// A read level as an argument.
enum LevelArgument: String, ExpressibleByArgument, CaseIterable {
    case strict, lazy

    static let help = ArgumentHelp(
        "How much a read proves: strict, the default; lazy for damaged vaults proves nothing of what is absent.",
        valueName: "level")

    var level: ReadLevel {
        switch self {
        case .lazy: .lazy
        case .strict: .strict
        }
    }
}

extension FileVault {
    /// The vault in a file, locked.
    static func opened(
        _ path: VaultPath, timeout: Int, level: ReadLevel = .strict, isReadOnly: Bool = false
    ) throws -> FileVault {
        var options = VaultOptions()
        options.isReadOnly = isReadOnly
        options.readLevel = level
        options.busyTimeoutMilliseconds = timeout * 1000
        do throws(StoreError) {
            return OpenedVaults.add(try FileVault.open(at: path.path, options: options))
        } catch {
            // Its folder is the command's business: it says nothing of how to make it.
            if error.code == .unavailable, path.isStandard, !path.hasFolder {
                throw CommandFailure.unavailable(
                    error.code.rawValue, "There is no vault at \(path.path).",
                    advice: "Make one with 'signet vault init', or name another: --vault FILE")
            }
            var failure = CommandFailure(error)
            if error.code == .unavailable, !path.isThere {
                failure.advice =
                    "Make a vault with 'signet vault init', or name another: --vault FILE"
            }
            throw failure
        }
    }
}
