// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetJOSE
internal import SignetVault

/// `signet vault rotate data`
struct VaultRotateDataCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "data", abstract: "Seal every item again under a new data key.",
        discussion: """
            Other processes may read and write meanwhile. If interrupted, the vault stays \
            usable; run the command again to continue.

            EXAMPLES
              signet vault rotate data --progress
            """)

    @OptionGroup var store: StoreOptions
    @OptionGroup var progress: ProgressOptions

    @Flag(help: "Print a JSON object: items.")
    var json = false

    func run() throws {
        try store.check()
        let vault = try store.open()
        let line = progress.line("sealing again", counting: .items)
        defer { line.finish() }
        var count = 0
        try vault.rotateDataKey { done, total in
            count = done
            line.show(done, of: total)
        }
        line.finish()
        try Output.printResult(
            json: json, members: ["items": .integer(Int64(count))],
            text: "rotated: \(count) \(count == 1 ? "item" : "items") under a new data key")
    }
}

/// `signet vault rotate root`
struct VaultRotateRootCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "root",
        abstract: "Replace the root key; name the key slots to keep.",
        discussion: """
            Keeping a key slot takes its secret. The slot that opens the vault now is kept, and \
            those named with --keep-…. Any other slot stops the rotation, unless --drop-others \
            removes it. Afterwards rotate the data key too.

            EXAMPLES
              signet vault rotate root --passphrase --keep-key-file work.key
              signet vault rotate root --key-file work.key --drop-others
            """)

    @OptionGroup var store: StoreOptions

    @Option(files: "Keep the slot of the passphrase in this file.")
    var keepPassphraseFile: [String] = []

    @Option(files: "Keep the slot of this key file.")
    var keepKeyFile: [String] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Keep the slot of this systemd credential.", valueName: "name"))
    var keepCredential: [String] = []

    @Flag(help: "Remove the slots whose secret is not given.")
    var dropOthers = false

    @Flag(help: "Print a JSON object: slots, dropped.")
    var json = false

    func run() throws {
        try store.check(reading: keepPassphraseFile + keepKeyFile)
        let others: [VaultWay] =
            keepPassphraseFile.map { .passphrase(.file($0)) } + keepKeyFile.map { .keyFile($0) }
            + keepCredential.map { .credential($0) }
        var methods = try others.map {
            try $0.method(Passphrase.Wording(), waiting: store.waitingOptions)
        }
        let vault = try store.openLocked()
        let current = try store.method()
        try vault.unlock(with: current)
        methods.insert(current, at: 0)
        let before = try vault.slots().count
        try vault.rotateRootKey(keeping: methods, droppingOthers: dropOthers)
        let kept = try vault.slots().count
        let dropped = max(0, before - kept)
        try Output.printResult(
            json: json,
            members: ["slots": .integer(Int64(kept)), "dropped": .integer(Int64(dropped))],
            text: "rotated: a new root key, \(kept) key \(kept == 1 ? "slot" : "slots") kept"
                + (dropped > 0 ? ", \(dropped) dropped" : ""))
    }
}
