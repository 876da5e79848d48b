// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetJOSE
internal import SignetVault

/// `signet vault init`
struct VaultInitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Make a new vault with one key slot.",
        discussion: """
            An existing file is never replaced. If you lose every key and passphrase of a vault, \
            its contents are lost: add a second way in with 'signet vault slot add'.

            EXAMPLES
              signet vault init
              signet vault init --vault work.signet --new-key-file work.key
              signet vault init --new-passphrase-fd 3 3< passphrase
            """)

    @OptionGroup(title: "The store") var place: PlaceOptions
    @OptionGroup(title: "The store") var waitingOptions: WaitingOptions
    @OptionGroup(title: "New key slot") var new: WayOptions<NewWay>
    // The options that unlock the vault later may also be used to make it.
    @OptionGroup(visibility: .hidden) var current: WayOptions<CurrentWay>

    @Flag(help: "Print a JSON object: vault, id.")
    var json = false

    func run() throws {
        try waitingOptions.check()
        try place.check()
        let current = try current.named()
        try require(
            try new.named() == nil || current == nil, otherwise: "Name one way into the vault.")
        let path = try place.path()
        try path.checkIsFree()
        try path.makeFolder()
        // `--key-file` names an existing file. A missing one is not made, because its name may have
        // been mistyped.
        let method =
            try current?.newMethod(
                NewWay.words.passphrase, waiting: waitingOptions, makesKeyFile: false)
            ?? new.newMethod(waitingOptions)
        let vault = OpenedVaults.add(try FileVault.create(at: path.path, with: method))
        try Output.printResult(
            json: json, members: ["vault": .path(path.path), "id": .string(vault.id.hexadecimal)],
            text: "made " + path.path.onOneLine)
    }
}
