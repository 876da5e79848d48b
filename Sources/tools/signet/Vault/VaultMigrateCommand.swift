// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetPlatform
internal import SignetVault

/// `signet vault migrate`
struct VaultMigrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate", abstract: "Copy or move the items of one store to another.",
        discussion: """
            Stores are file, file:PATH, secret-service and secret-service:COLLECTION; both must \
            exist. An interrupted migration loses nothing: run the same command again to \
            continue. Without --on-conflict nothing is written if an item differs on the two \
            sides.

            EXAMPLES
              signet vault migrate --from secret-service --to file
              signet vault migrate --from file:old.signet --from-key-file old.key \\
                  --to file:new.signet --to-passphrase --on-conflict newer
            """)

    @Option(help: ArgumentHelp("Where the items are.", valueName: "store"))
    var from: StoreLocation

    @Option(help: ArgumentHelp("Where they go.", valueName: "store"))
    var to: StoreLocation

    @Option(
        help: ArgumentHelp("What to do if an item differs on the two sides.", valueName: "policy"),
        completion: .default)
    var onConflict = StoreMigration.ConflictPolicy.refuse

    @Flag(help: "Remove each item from the source after reading it back from the destination.")
    var move = false

    @OptionGroup(title: "Unlocking --from") var fromWay: WayOptions<FromWay>
    @OptionGroup(title: "Unlocking --to") var toWay: WayOptions<ToWay>
    @OptionGroup(title: "Which items (default: all)") var filter: FilterOptions
    @OptionGroup var moving: MovingOptions
    @OptionGroup var waitingOptions: WaitingOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The program that owns the keyring's items. (default: signet)", valueName: "name")
    )
    var application: String?

    func run() throws {
        try check()
        let source = try open(from, option: "--from file:", way: fromWay)
        let destination = try open(to, option: "--to file:", way: toWay)
        let fromStore = try source()
        let toStore = try destination()
        let policy = onConflict
        let removes = move
        let isIncluded = filter.matching
        try moving.run("migrating") { line in
            var migration = StoreMigration(
                from: fromStore, to: toStore, conflictPolicy: policy, removesFromSource: removes)
            migration.includes = isIncluded
            return try await migration.run { line.show($0, of: $1) }
        }
    }

    private func check() throws {
        try waitingOptions.check()
        try filter.check()
        try require(from != to, otherwise: "--from and --to are the same store.")
        try require(
            (!from.isKeyring || fromWay.isEmpty) && (!to.isKeyring || toWay.isEmpty),
            otherwise: "The keyring is unlocked by the desktop, not by Signet.")
        try fromWay.check()
        try toWay.check()
        try Input.checkStandardInput([fromWay.source, toWay.source])
    }

    /// Finds a store and returns what unlocks it. Both stores are found before the user is asked
    /// for a passphrase.
    private func open<Role: WayRole>(
        _ location: StoreLocation, option: String, way: WayOptions<Role>
    ) throws -> () throws -> any SecureStore {
        switch location {
        case .file(let path):
            let vault = try VaultPath(path, option: option).open(waitingOptions.vaultOptions)
            return {
                try vault.unlock(with: way.method(waitingOptions))
                return vault
            }
        case .secretService(let collection):
            let service = try SystemKeyring.open(
                application: application, collection: collection,
                deadlineSeconds: waitingOptions.timeout,
                mayPrompt: waitingOptions.unlock)
            return { service }
        }
    }
}

/// A side of a migration: `file`, `file:PATH`, `secret-service` or `secret-service:COLLECTION`.
enum StoreLocation: ExpressibleByArgument, Equatable {
    /// A vault in a file; nil is the default vault.
    case file(String?)
    /// A collection of the desktop's keyring; nil is the default collection.
    case secretService(String?)

    var isKeyring: Bool { if case .secretService = self { true } else { false } }

    init?(argument: String) {
        // By bytes, because ":" and a combining mark after it are another Character.
        let kind = argument.utf8.prefix { $0 != UInt8(ascii: ":") }
        let rest = argument.utf8.dropFirst(kind.count)
        let name = rest.isEmpty ? nil : String(decoding: rest.dropFirst(), as: UTF8.self)
        guard name != "" else { return nil }
        switch String(decoding: kind, as: UTF8.self) {
        case "file": self = .file(name)
        case "secret-service":
            // A collection's name is no path.
            let collection = name.flatMap(PathText.name)
            guard (collection == nil) == (name == nil) else { return nil }
            self = .secretService(collection)
        default: return nil
        }
    }
}
