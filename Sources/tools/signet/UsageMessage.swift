// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The parser's message about a wrong command line, without anything that may be a secret.
///
/// The parser repeats arguments that it does not understand. If a user puts a passphrase or a token
/// where it does not belong, it must not end up in a log as well.
struct UsageMessage {
    private let arguments: [String]

    init(_ arguments: [String]) { self.arguments = arguments }

    func redacted(_ message: String) -> String {
        if let sentence = aboutSecret(message) { return sentence }
        var text =
            message.hasPrefix("Error: ") ? String(message.dropFirst("Error: ".count)) : message
        for value in values where text.contains(value) {
            text = text.replacingOccurrences(of: value, with: "(not shown)")
        }
        return text
    }

    /// What to say where a secret may have been given as an argument; nil elsewhere.
    func aboutSecret(_ message: String) -> String? {
        if let prefix = passphrasePrefix {
            return """
                A passphrase is never an argument: other users of this machine can read arguments.
                Ask for it at the terminal with \(prefix)passphrase alone, or name where it is with \
                \(prefix)passphrase-fd NUMBER or \(prefix)passphrase-file FILE.
                """
        }
        if isAboutValue(message) {
            return """
                A value is never an argument: other users of this machine can read arguments.
                Give it on standard input, at the terminal with --prompt, or in a file with \
                --value-file FILE.
                """
        }
        return nil
    }

    /// What stands before the word `passphrase` if a passphrase was given as an argument:
    /// `--passphrase words`, `--new-passphrase=words` and the like.
    private var passphrasePrefix: String? {
        guard let command = arguments.first, ["seal", "open", "vault"].contains(command) else {
            return nil
        }
        for (index, argument) in arguments.enumerated() {
            guard
                let prefix = ["--", "--new-", "--from-", "--to-", "--keep-"].first(where: {
                    argument.hasPrefix($0 + "passphrase")
                })
            else { continue }
            let parts = argument.dropFirst(prefix.count).split(separator: "=", maxSplits: 1)
            let next = arguments.indices.contains(index + 1) ? arguments[index + 1] : "-"
            let value = parts.count == 2 ? String(parts[1]) : next
            switch parts.first {
            case "passphrase": if parts.count == 2 || !value.hasPrefix("-") { return prefix }
            case "passphrase-fd": if Int32(value) == nil { return prefix }
            case "passphrase-file": break
            default: return prefix
            }
        }
        return nil
    }

    /// Whether a value was given as an argument: `vault set … words`, `--value=words` and the like.
    private func isAboutValue(_ message: String) -> Bool {
        guard arguments.starts(with: ["vault", "set"]) else { return false }
        let options = ["--value", "--secret", "--password", "--token", "--data"]
        return message.contains("nexpected argument")
            || arguments.contains { argument in
                options.contains { argument == $0 || argument.hasPrefix($0 + "=") }
            }
    }

    /// The arguments, and values of options, that are long enough to be a secret, the longest
    /// first. Names of commands and options are too short.
    private var values: [String] {
        var values: [String] = []
        for argument in arguments {
            if !argument.hasPrefix("-") || argument.utf8.count > 40 { values.append(argument) }
            if let equals = argument.firstIndex(of: "=") {
                values.append(String(argument[argument.index(after: equals)...]))
            }
        }
        return values.filter { $0.utf8.count > 16 }.sorted { $0.utf8.count > $1.utf8.count }
    }
}
