// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser

/// Which of a command's ways into a vault a group of options is about.
protocol WayRole {
    /// A word before the options' names, as in `--new-key-file`.
    static var prefix: String { get }
    /// What the terminal shows before a passphrase is typed.
    static var prompt: String { get }
    /// What it opens, for the help: `the vault`.
    static var object: String { get }
    /// Whether a key file that is not there is made.
    static var makesKeyFile: Bool { get }
}

/// The way into the vault that the command works on.
enum CurrentWay: WayRole {
    static let prefix = ""
    static let prompt = "Passphrase: "
    static let object = "the vault"
    static let makesKeyFile = false
}

/// The way that the command makes.
enum NewWay: WayRole {
    static let prefix = "new-"
    static let prompt = "New passphrase: "
    static let object = "the new key slot"
    static let makesKeyFile = true
}

/// Into the vault that is copied from.
enum FromWay: WayRole {
    static let prefix = "from-"
    static let prompt = "The source's passphrase: "
    static let object = "the source"
    static let makesKeyFile = false
}

/// Into the vault that is copied to.
enum ToWay: WayRole {
    static let prefix = "to-"
    static let prompt = "The destination's passphrase: "
    static let object = "the destination"
    static let makesKeyFile = false
}

/// One way into a vault: a passphrase from somewhere, a key file, a systemd credential.
struct WayOptions<Role: WayRole>: ParsableArguments {
    @Flag(
        name: Self.name("passphrase"),
        help: "Ask at the terminal for the passphrase of \(Role.object). (default)")
    var passphrase = false

    @Option(
        name: Self.name("passphrase-fd"),
        help: ArgumentHelp("Read it from this open descriptor.", valueName: "number"))
    var passphraseFd: Int32?

    @Option(
        name: Self.name("passphrase-file"),
        help: ArgumentHelp("Read it from the first line of a file.", valueName: "file"),
        completion: .file())
    var passphraseFile: String?

    @Option(
        name: Self.name("key-file"),
        help: ArgumentHelp(
            "File with a key, 32 raw bytes or "
                + "base64\(Role.makesKeyFile ? "; made, in base64, if it is not there" : "").",
            valueName: "file"), completion: .file())
    var keyFile: String?

    @Option(
        name: Self.name("credential"),
        help: ArgumentHelp(
            "systemd credential of this name with such a key.", valueName: "name"))
    var credential: String?

    @Option(
        name: Self.name("keyring"),
        help: ArgumentHelp(
            "Key in this collection of the desktop's keyring, as in: default.", valueName: "alias"))
    var keyring: String?

    private static func name(_ name: String) -> NameSpecification {
        .customLong(Role.prefix + name)
    }

    /// The ways that were named.
    var ways: [VaultWay] {
        var ways: [VaultWay] = passphrase ? [.passphrase(.terminal)] : []
        if let passphraseFd { ways.append(.passphrase(.descriptor(passphraseFd))) }
        if let passphraseFile { ways.append(.passphrase(.file(passphraseFile))) }
        if let keyFile { ways.append(.keyFile(keyFile)) }
        if let credential { ways.append(.credential(credential)) }
        if let keyring { ways.append(.keyring(keyring)) }
        return ways
    }

    /// Whether none was named.
    var isEmpty: Bool { ways.isEmpty }

    /// The one way that was named; without any, a passphrase is asked for.
    func way() throws -> VaultWay { try way(or: .passphrase(.terminal)) ?? .passphrase(.terminal) }

    /// The one way that was named, or another.
    func way(or other: VaultWay?) throws -> VaultWay? {
        guard ways.count <= 1 else {
            throw CommandFailure.usage(
                "Name one way into \(Role.object).",
                advice: "One of "
                    + [
                        "passphrase", "passphrase-fd", "passphrase-file", "key-file", "credential",
                        "keyring",
                    ]
                    .map {
                        "--\(Role.prefix)\($0)"
                    }.joined(separator: ", "))
        }
        return ways.first ?? other
    }

    /// What is read, as ``Input/checkStandardInput(_:)`` takes it.
    var source: String? { keyFile ?? passphraseFile ?? passphraseFd.map { "/dev/fd/\($0)" } }

    /// How the passphrase is asked for.
    var wording: Passphrase.Wording { Passphrase.Wording(prompt: Role.prompt, prefix: Role.prefix) }
}
