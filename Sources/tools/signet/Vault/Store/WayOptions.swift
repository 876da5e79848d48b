// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetVault

/// The words for a way into a vault.
struct WayWords {
    /// The prompt at the terminal, and the word before the options' names, as in `--new-key-file`.
    var passphrase = Passphrase.Wording()
    /// The object that the way opens, for the help: `the vault`, for example.
    let object: String
    /// Whether a missing key file is made.
    var makesKeyFile = false
}

/// The role of a way into a vault. ArgumentParser takes the names of options from a type, so each
/// prefix needs its own type.
protocol WayRole {
    static var words: WayWords { get }
}

/// The way into the vault that the command works on.
enum CurrentWay: WayRole {
    static let words = WayWords(object: "the vault")
}

/// The new way into a vault that the command makes.
enum NewWay: WayRole {
    static let words = WayWords(
        passphrase: Passphrase.Wording(prompt: "New passphrase: ", prefix: "new-"),
        object: "the new key slot", makesKeyFile: true)
}

/// The way into the vault from which items are copied.
enum FromWay: WayRole {
    static let words = WayWords(
        passphrase: Passphrase.Wording(prompt: "The source's passphrase: ", prefix: "from-"),
        object: "the source")
}

/// The way into the vault to which items are copied.
enum ToWay: WayRole {
    static let words = WayWords(
        passphrase: Passphrase.Wording(prompt: "The destination's passphrase: ", prefix: "to-"),
        object: "the destination")
}

/// The options for a way into a vault: a passphrase, a key file, a systemd credential or a key in
/// the keyring.
struct WayOptions<Role: WayRole>: ParsableArguments {
    @Flag(
        name: Self.name("passphrase"),
        help: "Ask at the terminal for the passphrase of \(Role.words.object). (default)")
    var passphrase = false

    @Option(
        name: Self.name("passphrase-fd"),
        help: ArgumentHelp("Read it from this open descriptor.", valueName: "number"))
    var passphraseFd: Int32?

    @Option(
        name: Self.name("passphrase-file"), file: "Read it from the first line of a file.")
    var passphraseFile: String?

    @Option(
        name: Self.name("key-file"),
        file: "File with a key, 32 raw bytes or "
            + "base64\(Role.words.makesKeyFile ? "; made, in base64, if it is not there" : "").")
    var keyFile: String?

    @Option(
        name: Self.name("credential"),
        help: ArgumentHelp("systemd credential of this name with such a key.", valueName: "name"))
    var credential: String?

    @Option(
        name: Self.name("keyring"),
        help: ArgumentHelp(
            "Key in this collection of the desktop's keyring, as in: default.", valueName: "alias"))
    var keyring: String?

    private static var prefix: String { Role.words.passphrase.prefix }
    private static func name(_ name: String) -> NameSpecification { .customLong(prefix + name) }

    /// The ways that were named.
    private var ways: [VaultWay] {
        var ways: [VaultWay] = passphrase ? [.passphrase(.terminal)] : []
        if let passphraseFd { ways.append(.passphrase(.descriptor(passphraseFd))) }
        if let passphraseFile { ways.append(.passphrase(.file(passphraseFile))) }
        if let keyFile { ways.append(.keyFile(keyFile)) }
        if let credential { ways.append(.credential(credential)) }
        if let keyring { ways.append(.keyring(keyring)) }
        return ways
    }

    /// Whether no way was named.
    var isEmpty: Bool { ways.isEmpty }

    /// The only way that was named; nil if none was. Several ways are refused.
    func named() throws -> VaultWay? {
        guard ways.count <= 1 else {
            let names = [
                "passphrase", "passphrase-fd", "passphrase-file", "key-file", "credential",
                "keyring",
            ]
            throw CommandFailure.usage(
                "Name one way into \(shown: Role.words.object).",
                advice: "One of " + names.map { "--\(Self.prefix)\($0)" }.joined(separator: ", "))
        }
        return ways.first
    }

    /// Refuses several ways before anything is read and before the user is asked for anything.
    func check() throws { _ = try named() }

    /// The method that unlocks an existing vault. If no way was named, it asks for a passphrase.
    func method(_ waitingOptions: WaitingOptions) throws -> any UnlockMethod {
        try (named() ?? .passphrase(.terminal)).method(
            Role.words.passphrase, waiting: waitingOptions)
    }

    /// The method for a new key slot.
    func newMethod(_ waitingOptions: WaitingOptions) throws -> any UnlockMethod {
        try (named() ?? .passphrase(.terminal)).newMethod(
            Role.words.passphrase, waiting: waitingOptions, makesKeyFile: Role.words.makesKeyFile)
    }

    /// The file that is read, as ``Input/checkStandardInput(_:)`` takes it.
    var source: String? { keyFile ?? passphraseFile ?? passphraseFd.map { "/dev/fd/\($0)" } }
}
