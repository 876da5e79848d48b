// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform

/// The parser's message about a wrong command line, without anything that may be a secret.
///
/// The parser repeats arguments that it does not understand. If a user puts a passphrase or a token
/// where it does not belong, it must not end up in a log as well.
struct UsageMessage {
    /// The longest option with two dashes that is shown. A longer one may be a secret.
    static let maximumOptionByteCount = 40

    private let arguments: [String]

    init(_ arguments: [String]) { self.arguments = arguments }

    /// The message, and the command that says more: by itself, because a long message loses its
    /// end.
    func redacted(_ message: String) -> (text: String, advice: String?) {
        if let sentence = aboutSecret(message) { return (sentence, runAdvice) }
        var lines = shown(message).split(separator: "\n", omittingEmptySubsequences: false)
        // "  See 'signet seal --help' for more information."
        let last = (lines.last ?? "").split(separator: "'")
        guard lines.count > 1, last.count == 3, last[0] == "  See " else {
            return (lines.joined(separator: "\n"), nil)
        }
        lines.removeLast()
        let more = "\(last[1]) says more."
        if let runAdvice { return (lines.joined(separator: "\n"), runAdvice) }
        return (lines.joined(separator: "\n"), dashed(message).map { "\($0) \(more)" } ?? more)
    }

    /// The advice where the program of `signet run` stands without the dashes before it, so that
    /// its options are taken for Signet's.
    var runAdvice: String? {
        guard let first = arguments.first, first.utf8.elementsEqual("run".utf8),
            !arguments.contains(where: { $0.utf8.elementsEqual("--".utf8) })
        else { return nil }
        return "The program stands after --: signet run --env NAME=SERVICE/ACCOUNT -- PROGRAM …"
    }

    /// The message without what may be a secret, in the lines of the parser alone. It works on
    /// bytes: a mark that begins an argument is one character with the quotation mark before it.
    private func shown(_ message: String) -> String {
        let start = message.hasPrefix("Error: ") ? "Error: ".utf8.count : 0
        var text = Array(message.utf8.dropFirst(start))
        for value in values {
            // The parser quotes what it repeats. A short one may be nothing but a line end.
            let mark = PathText.byteCount(of: value) > 16 ? "" : "'"
            text = text.replacing(
                Array("\(mark)\(value)\(mark)".utf8), with: Array("\(mark)(not shown)\(mark)".utf8))
        }
        return String(decoding: text, as: UTF8.self).shown(keeping: "\n")
    }

    /// How to give a value that begins with a dash, if that is what is missing.
    private func dashed(_ message: String) -> String? {
        let start = "Error: Missing value for '"
        guard message.hasPrefix(start) else { return nil }
        let option = message.dropFirst(start.count).prefix { $0 != " " && $0 != "'" }
        let index = arguments.lastIndex { $0.utf8.elementsEqual(option.utf8) }
        guard let index, arguments.indices.contains(index + 1) else { return nil }
        let next = Array(arguments[index + 1].utf8.prefix(2))
        let dash = UInt8(ascii: "-")
        guard next.count == 2, next[0] == dash, next[1] != dash else { return nil }
        return "A value that begins with a dash: \(option)=…"
    }

    /// The advice where a secret may have been given as an argument; nil elsewhere.
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

    /// The text before the word `passphrase` if a passphrase was given as an argument:
    /// `--passphrase words`, `--new-passphrase=words` and the like.
    private var passphrasePrefix: String? {
        guard arguments.contains(where: { ["seal", "open", "vault", "run"].contains($0) }) else {
            return nil
        }
        // What follows is another program's.
        let own = arguments.prefix { !$0.utf8.elementsEqual("--".utf8) }
        return own.indices.lazy.compactMap(prefixOfPassphrase(at:)).first
    }

    /// The text before the word `passphrase` in this argument, if it gives a passphrase.
    private func prefixOfPassphrase(at index: Int) -> String? {
        let argument = arguments[index]
        // Some programs take a password in this way. No option here has one letter but -h.
        if argument.hasPrefix("-p") { return "--" }
        let prefixes = ["--", "--new-", "--from-", "--to-", "--keep-"]
        guard let prefix = prefixes.first(where: { argument.hasPrefix($0 + "passphrase") }) else {
            return nil
        }
        let parts = argument.dropFirst(prefix.count).split(separator: "=", maxSplits: 1)
        let hasOwnValue = parts.count == 2
        let next = arguments.indices.contains(index + 1) ? arguments[index + 1] : "-"
        let value = hasOwnValue ? String(parts[1]) : next
        let isPassphrase =
            switch parts.first {
            case "passphrase": hasOwnValue || !value.hasPrefix("-")
            case "passphrase-fd": Int32(value) == nil
            case "passphrase-file": false
            default: true
            }
        return isPassphrase ? prefix : nil
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

    /// The arguments, and parts of them, that may be a secret or the line of a message, the longest
    /// first. Names of commands and options are neither.
    private var values: [String] {
        var values: [String] = []
        for argument in arguments {
            let bytes = argument.utf8
            var parts = [argument]
            if let equals = bytes.firstIndex(of: UInt8(ascii: "=")) {
                parts = [
                    String(decoding: bytes[..<equals], as: UTF8.self),
                    String(decoding: bytes[equals...].dropFirst(), as: UTF8.self),
                ]
            }
            if bytes.first != UInt8(ascii: "-") || bytes.count > Self.maximumOptionByteCount {
                values.append(argument)
            }
            if parts.count == 2 { values.append(parts[1]) }
            values.append(contentsOf: parts.filter(Self.isNoName))
        }
        return values.filter { PathText.byteCount(of: $0) > 16 || Self.isNoName($0) }
            .sorted { $0.utf8.count > $1.utf8.count }
    }

    /// Whether the text has more than one line, or is `-pSECRET`: an option of one letter with its
    /// value, in the manner of other programs. A misspelt option of Signet has lower-case letters.
    private static func isNoName(_ text: String) -> Bool {
        if text.utf8.contains(0x0a), text.utf8.count > 1 { return true }
        guard text.hasPrefix("-"), !text.hasPrefix("--"), text.utf8.count > 2 else { return false }
        return Int(text) == nil
            && !text.utf8.dropFirst().allSatisfy {
                (0x61...0x7a).contains($0) || $0 == UInt8(ascii: "-")
            }
    }
}
