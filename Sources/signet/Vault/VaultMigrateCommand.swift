// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetVault

/// `signet vault migrate`
struct VaultMigrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate", abstract: "Copy or move the items of one store to another.",
        discussion: """
            Stores are file, file:PATH, secret-service and secret-service:COLLECTION; both must be there. \
            Interrupted, it has lost nothing: the same call again goes on. Without --on-conflict nothing is \
            written when an item is on both sides and differs.

            EXAMPLES
              signet vault migrate --from secret-service --to file
              signet vault migrate --from file:old.signet --from-key-file old.key \\
                  --to file:new.signet --to-passphrase --on-conflict newer
            """)

    @Option(name: .long, help: ArgumentHelp("Where the items are.", valueName: "store"))
    var from: StoreLocation

    @Option(name: .long, help: ArgumentHelp("Where they go.", valueName: "store"))
    var to: StoreLocation

    @Option(
        name: .long,
        help: ArgumentHelp("An item that is on both sides and differs.", valueName: "policy"))
    var onConflict = ConflictArgument(.refuse)

    @Flag(name: .long, help: "Remove from the source what the destination has given back.")
    var move = false

    @OptionGroup(title: "Unlocking --from") var fromWay: WayOptions<FromWay>
    @OptionGroup(title: "Unlocking --to") var toWay: WayOptions<ToWay>
    @OptionGroup(title: "Which items (default: all)") var filter: FilterOptions
    @OptionGroup var progress: ProgressOptions
    @OptionGroup var moving: MovingOptions
    @OptionGroup var time: PatienceOptions

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "The program whose items in the keyring they are. (default: signet)", valueName: "name")
    )
    var application: String?

    func run() throws {
        try failing {
            try check()
            let source = try open(from, fromWay)
            let destination = try open(to, toWay)
            let (fromStore, toStore) = (try source(), try destination())
            let (policy, removes) = (onConflict.policy, move)
            let filter = filter.matching
            try moving.run(progress.line("migrating")) { line async throws(StoreError) in
                var migration = StoreMigration(
                    from: fromStore, to: toStore, conflictPolicy: policy, removesFromSource: removes
                )
                migration.includes = filter
                return try await migration.run { line.show($0, of: $1) }
            }
        }
    }

    private func check() throws {
        try time.patience.check()
        try filter.check()
        guard from != to else {
            throw CommandFailure.usage("--from and --to are the same store.")
        }
        guard !fromWay.isUsed(with: from), !toWay.isUsed(with: to) else {
            throw CommandFailure.usage("The keyring is unlocked by the desktop, not by Signet.")
        }
        _ = (try fromWay.way(), try toWay.way())
        try Input.checkStandardInput(fromWay.source, toWay.source)
    }

    /// Finds a store; what is returned unlocks it. Both are found before anybody is asked for a passphrase.
    private func open<Role: WayRole>(
        _ location: StoreLocation, _ way: WayOptions<Role>
    ) throws -> () throws -> any SecureStore {
        switch location {
        case .file(let path):
            let (vault, patience) = (
                try FileVault.opened(VaultPath(path), timeout: time.timeout), time.patience
            )
            return {
                try vault.unlock(with: way.way().method(way.wording, patience))
                return vault
            }
        case .secretService(let collection):
            var keyring = try KeyringOptions.parse([])
            keyring.application = application
            keyring.collection = collection
            let service = try keyring.open(time.patience)
            return { service }
        }
    }
}

extension WayOptions {
    fileprivate func isUsed(with location: StoreLocation) -> Bool {
        if case .secretService = location { !isEmpty } else { false }
    }
}
