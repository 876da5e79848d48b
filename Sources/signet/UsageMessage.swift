// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// What the parser says about a wrong command line, without what may be a secret in it.
///
/// The parser repeats arguments that it does not understand. Somebody who writes a passphrase or a token where it
/// does not belong shall not find it in a log as well.
struct UsageMessage {
    private let arguments: [String]

    init(_ arguments: [String]) { self.arguments = arguments }

    func redacted(_ message: String) -> String {
        if isAboutPassphrase {
            return """
                A passphrase is never an argument: others on this machine can read those.
                Ask for it at the terminal with --passphrase alone, or name where it is with --passphrase-fd NUMBER \
                or --passphrase-file FILE.
                """
        }
        var text = message.hasPrefix("Error: ") ? String(message.dropFirst("Error: ".count)) : message
        for value in values where text.contains(value) {
            text = text.replacingOccurrences(of: value, with: "(not shown)")
        }
        return text
    }

    /// `--passphrase words`, `--passphrase=words` and the like.
    private var isAboutPassphrase: Bool {
        guard let command = arguments.first, ["seal", "open"].contains(command) else { return false }
        for (index, argument) in arguments.enumerated() where argument.hasPrefix("--passphrase") {
            let next = arguments.indices.contains(index + 1) ? arguments[index + 1] : "-"
            switch argument {
            case "--passphrase": if !next.hasPrefix("-") { return true }
            case "--passphrase-fd": if Int32(next) == nil { return true }
            case "--passphrase-file": break
            default: return true
            }
        }
        return false
    }

    /// What is long enough to be a secret, the longest first; names of commands and options are not.
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
