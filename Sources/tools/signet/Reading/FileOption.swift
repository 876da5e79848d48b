// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetPlatform
internal import SignetVault

// `@Option(file: "What to read.") var input: String?`: an option that names a file, whatever the
// bytes of its name are (``PathText``).

extension Option where Value == String? {
    init(name: NameSpecification = .long, file help: String) {
        self.init(
            name: name, help: ArgumentHelp(help, valueName: "file"), completion: .file(),
            transform: NamedFile.checked)
    }

    /// An option that names a folder.
    init(folder help: String) {
        self.init(
            help: ArgumentHelp(help, valueName: "folder"), completion: .directory,
            transform: NamedFile.checked)
    }
}

extension Option where Value == String {
    /// A required option that names a file.
    init(file help: String) {
        self.init(
            help: ArgumentHelp(help, valueName: "file"), completion: .file(),
            transform: NamedFile.checked)
    }
}

extension Option where Value == [String] {
    /// An option for files that may be repeated.
    init(wrappedValue: [String], files help: String) {
        self.init(
            wrappedValue: wrappedValue, parsing: .unconditionalSingleValue,
            help: ArgumentHelp(help, valueName: "file"), completion: .file(),
            transform: NamedFile.checked)
    }
}

extension Argument where Value == String {
    /// A file that an argument names, without an option.
    init(file help: String) {
        self.init(
            help: ArgumentHelp(help), completion: .file(), transform: NamedFile.checked)
    }
}

/// The name of a file as a person gives it.
enum NamedFile {
    /// The name, unless a shell was meant to expand it, or it is no name but a secret itself.
    static let checked: @Sendable (String) throws -> String = { path in
        guard !isForShell(path) else { throw Text.Failure(description: advice) }
        guard !isContent(path) else { throw Text.Failure(description: notContent) }
        return path
    }

    /// Whether a shell would have written a user's home here. It does so only where a word begins:
    /// not after `=`, within quotes, or in a service's settings. A program that makes a folder `~`
    /// has people remove it, and with it their home.
    static func isForShell(_ path: String) -> Bool {
        guard path.utf8.first == UInt8(ascii: "~") else { return false }
        return path.utf8.count == 1 || path.utf8.contains(UInt8(ascii: "/"))
    }

    /// The advice for a name that a shell was meant to expand.
    static let advice =
        "The shell does not expand ~ there, but only where a word begins, outside of quotes. "
        + "Write \"$HOME/…\" or, if a file is named so, \"./~/…\"."

    // MARK: Secrets

    /// Whether the name is a key or a token itself: a message that said that there is no such file
    /// would repeat it.
    private static func isContent(_ path: String) -> Bool {
        let text = Array(path.utf8.drop { "\u{feff}\"' \t\r\n".utf8.contains($0) })
        switch InputShape(of: text.span) {
        case .openSSHKey, .encryptedPEM, .pem, .json, .jsonArray, .bearer: return true
        // A key of age that is secret. Names may begin with "age1".
        case .ageKey: return text.count > 64
        // A name may have two dots. This is the beginning of a header, and of few names.
        default: return text.count >= 36 && text.starts(with: "eyJ".utf8)
        }
    }

    private static let notContent =
        "It is no name of a file, but looks like a key or a token itself, which other users can "
        + "read among the arguments. Write it to a file and name that. A file that is named so is "
        + "./NAME."

    /// The failure to read a file. A name that is the base64 of a key, and names no file, is not
    /// shown: what `SecretShape` hides is longer, because identifiers of keys are as long.
    static func failure(_ error: SystemFailure, reading path: String?) -> CommandFailure {
        guard let path, (43...44).contains(path.utf8.count), path.utf8.first != UInt8(ascii: "/"),
            KeyText.decoded(path.utf8.span) != nil, PrivatePlace.identity(ofFileBehind: path) == nil
        else { return CommandFailure(error) }
        return .unavailable(
            "system",
            "There is no file of the name given, which is not shown: it looks like a key.",
            advice: "A key is never an argument: write it to a file and name that.")
    }
}
