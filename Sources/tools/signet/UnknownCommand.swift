// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetBase

/// The reason why words that should name a command do not: an unknown command, or an option in
/// front of the command.
struct UnknownCommand {
    // In `signet vault remvoe x` the path is `signet vault`, the group `vault`, and the rest
    // `remvoe x`.

    /// The words that name commands.
    private var path = ["signet"]
    /// The command that the path names.
    private var group: any ParsableCommand.Type = SignetCommand.self
    /// The words after the path.
    private var rest: ArraySlice<String>

    private init(walking arguments: [String]) {
        rest = arguments[...]
        descend()
    }

    /// The command that the first words name, or the group of commands, with its own words.
    static func named(by arguments: [String]) -> (words: [String], type: any ParsableCommand.Type) {
        let walk = UnknownCommand(walking: arguments)
        return (walk.path, walk.group)
    }

    /// The arguments with the names of the commands in place of their aliases.
    static func canonical(_ arguments: [String]) -> [String] {
        let walk = UnknownCommand(walking: arguments)
        return Array(walk.path.dropFirst() + walk.rest)
    }

    /// - Returns: nil if the words name a command.
    init?(_ arguments: [String]) {
        self.init(walking: arguments)
        guard !rest.isEmpty, !Self.subcommands(of: group).isEmpty else { return nil }
    }

    /// The failure; nil for an option that no command follows.
    var failure: CommandFailure? {
        guard let word = rest.first else { return nil }
        return word.utf8.first == UInt8(ascii: "-") ? misplaced(word) : unknown(word)
    }

    /// The failure for an option before the command, as in `signet --json vault list`.
    private func misplaced(_ option: String) -> CommandFailure? {
        // Goes on from the first later word that names a command.
        var command = self
        command.rest = rest.drop { Self.subcommand($0, of: group) == nil }
        command.descend()
        guard command.path.count > path.count else { return nil }
        guard !option.utf8.elementsEqual("--".utf8) else {
            return .usage(
                "\(shown: option) stands before the command.",
                advice: "Leave it out: \(command.path.joined(separator: " ")) …")
        }
        let name = String(decoding: option.utf8.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
        // Anything else may be a secret.
        guard name.utf8.count <= UsageMessage.maximumOptionByteCount, name.hasPrefix("--"),
            name.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || $0.isDigit || $0.isLetter })
        else { return nil }
        let words = command.path.joined(separator: " ")
        return .usage(
            "\(shown: name) stands before the command, and options follow it.",
            advice: command.hasOption(name)
                ? "Write: \(words) \(name) …" : "\(words) --help says which options there are.")
    }

    private func hasOption(_ name: String) -> Bool {
        group.helpMessage(includeHidden: true).split { " ,\n".contains($0) }
            .contains { $0.utf8.elementsEqual(name.utf8) }
    }

    /// The failure for a word that names no command of the group.
    private func unknown(_ word: String) -> CommandFailure {
        // A longer word may be a secret.
        let isShown = word.utf8.count <= 16
        let shown = isShown ? word : "(not shown)"
        let name = path.joined(separator: " ")
        let close = isShown ? closest(to: word) : []
        let suggestions = close.map { "\(name) \($0)" }.joined(separator: ", or ")
        return .usage(
            "There is no command '\(shown: name) \(shown: shown)'.",
            advice: (suggestions.isEmpty ? "" : "Did you mean: \(suggestions)? ")
                + "\(name) --help says what there is.")
    }

    /// The commands of the group, or of its groups, that a person may have meant.
    private func closest(to word: String) -> [String] {
        let names = Self.subcommands(of: group).map { $0.name }
        let synonym = Self.synonyms.first { $0.words.contains { word.utf8.elementsEqual($0.utf8) } }
        let meant = names.filter { synonym?.names.contains($0) ?? false }
        guard meant.isEmpty else { return meant }
        // A mistyped word differs by a letter, or by two letters if it is longer.
        let limit = word.utf8.count < 4 ? 1 : 2
        let candidates = Self.subcommands(of: group).map {
            (name: $0.name, type: $0.type, distance: Self.distance(from: word, to: $0.name))
        }
        if let least = candidates.map(\.distance).min(), least <= limit {
            // A command is named once, by its alias only if that alone is close.
            var found: [(name: String, type: any ParsableCommand.Type)] = []
            for close in candidates where close.distance == least {
                if !found.contains(where: { $0.type == close.type }) {
                    found.append((close.name, close.type))
                }
            }
            return found.map(\.name)
        }
        // The command may be in a group that was left out.
        return Self.subcommands(of: group).flatMap { inner in
            Self.subcommands(of: inner.type)
                .filter { word.utf8.elementsEqual($0.name.utf8) }.map { "\(inner.name) \($0.name)" }
        }
    }

    /// The names that other programs have for a command.
    private static let synonyms: [(words: [String], names: [String])] = [
        (["show", "parse", "dump", "print"], ["inspect", "get"]),
        (["ls", "dir"], ["list"]), (["rm", "del", "delete", "erase", "unset"], ["remove"]),
        (["read", "cat", "fetch"], ["get"]), (["add", "put", "insert", "store", "write"], ["set"]),
        (["new", "create", "make", "gen", "keygen"], ["init", "generate"]),
        (["check", "validate"], ["verify"]), (["encode", "issue"], ["sign"]),
        (["encrypt"], ["seal"]), (["decrypt"], ["open"]), (["find", "grep"], ["search"]),
        (["signin", "sign-in"], ["login"]), (["signout", "sign-out"], ["logout"]),
        (["password", "passphrase"], ["passwd"]), (["duplicate"], ["copy"]), (["exec"], ["run"]),
        (["save"], ["backup"]),
    ]

    // MARK: The tree of commands

    /// Moves words from the rest to the path while they name commands.
    private mutating func descend() {
        while let word = rest.first, let next = Self.subcommand(word, of: group) {
            // An alias is another word for a command, which all else knows by its name.
            path.append(next.configuration.commandName ?? word)
            group = next
            rest = rest.dropFirst()
        }
    }

    private static func subcommands(
        of group: any ParsableCommand.Type
    ) -> [(name: String, type: any ParsableCommand.Type)] {
        group.configuration.subcommands.flatMap { type in
            [type.configuration.commandName].compactMap(\.self).map { ($0, type) }
                + type.configuration.aliases.map { ($0, type) }
        }
    }

    private static func subcommand(
        _ word: String, of group: any ParsableCommand.Type
    ) -> (any ParsableCommand.Type)? {
        subcommands(of: group).first { $0.name.utf8.elementsEqual(word.utf8) }?.type
    }

    /// How many letters are added, left out, replaced, or exchanged with their neighbour (the
    /// distance of optimal string alignment).
    private static func distance(from one: String, to other: String) -> Int {
        let a = Array(one.utf8)
        let b = Array(other.utf8)
        // A row has the distances of the first letters of `a` to the first 0, 1, 2 … letters of `b`.
        var rowBeforeLast: [Int] = []
        var lastRow = Array(0...b.count)
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                let replaced = lastRow[j] + (a[i] == b[j] ? 0 : 1)
                var least = min(row[j] + 1, lastRow[j + 1] + 1, replaced)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                    least = min(least, rowBeforeLast[j - 1] + 1)
                }
                row.append(least)
            }
            rowBeforeLast = lastRow
            lastRow = row
        }
        return lastRow[b.count]
    }
}
