// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetPlatform

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

/// The name of a file as a person gives it.
enum NamedFile {
    /// The name, unless a shell was meant to expand it.
    static let checked: @Sendable (String) throws -> String = { path in
        guard !isForShell(path) else { throw Text.Failure(description: advice) }
        return path
    }

    /// Whether a shell would have written the user's home here. It does so only where a word begins:
    /// not after `=`, within quotes, or in a service's settings. A program that makes a folder `~`
    /// has people remove it, and with it their home.
    static func isForShell(_ path: String) -> Bool {
        path.utf8.elementsEqual("~".utf8) || path.utf8.starts(with: "~/".utf8)
    }

    /// What to write instead.
    static let advice =
        "The shell does not expand ~ there, but only where a word begins, outside of quotes. "
        + "Write \"$HOME/…\" or, if a file is named so, \"./~/…\"."
}
