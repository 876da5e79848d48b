// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform

/// A remedy for a failure: a row of the table for a cause, in the situations where it helps.
package struct Advice: Sendable {
    /// An error of a library, as far as it decides what helps.
    package struct Cause: Hashable, Sendable {
        /// A fact that decides besides the code.
        package enum Detail: Sendable {
            /// The key is in the set, and cannot be used.
            case unusableKey
            /// The token is encrypted.
            case encrypted
            /// The token is signed, and not encrypted.
            case signed
            /// Several keys fit, or the token names none.
            case severalKeys, unnamedKey
            /// The issuer was asked for its keys just now.
            case fetched
            /// The provider is Google.
            case google
            /// The keyring asks a person before it gives a key.
            case consent
        }

        let domain: ObjectIdentifier
        let code: String
        let detail: Detail?

        init<Domain>(_ code: CodedError<Domain>.Code, detail: Detail? = nil) {
            domain = ObjectIdentifier(Domain.self)
            self.code = code.rawValue
            self.detail = detail
        }
    }

    package let cause: Cause
    package let situations: Set<Situation>
    /// The sentences of the advice. `{--vault}` stands for the option with the value that the line
    /// gave, or for nothing; `{--issuer URL}` stands for itself where the line has no `--issuer`.
    package let text: String

    init(_ cause: Cause, when situations: Set<Situation>, text: String) {
        self.cause = cause
        self.situations = situations
        self.text = text
    }

    /// The advice for a cause; nil where no remedy is known.
    ///
    /// - Parameters:
    ///   - line: the arguments.
    ///   - lacking: options of the command that contradict the options of the line.
    static func text(for cause: Cause, line: [String], lacking: Set<String>) -> String? {
        guard let situation = Situation(line: line) else { return nil }
        let row = table.first {
            $0.cause == cause && $0.situations.contains(situation)
                && !options(in: $0.text).contains {
                    $0.command == nil && lacking.contains($0.option)
                }
        }
        return row?.filled(from: line)
    }

    /// The options that an advice names, each with the words of the command that it stands behind;
    /// nil for the command that failed.
    package static func options(in text: String) -> [(command: String?, option: String)] {
        var options: [(command: String?, option: String)] = []
        var command: String?
        var isInName = false
        for word in text.split(whereSeparator: { " {}".contains($0) }) {
            let bare = String(word.filter { $0.isLetter || $0.isNumber || $0 == "-" })
            if bare == "signet" {
                command = ""
                isInName = true
            } else if bare.hasPrefix("--"), bare.count > 2 {
                options.append((command, bare))
                isInName = false
            } else if isInName, !bare.isEmpty, bare.allSatisfy(\.isLowercase), let start = command {
                command = start.isEmpty ? bare : "\(start) \(bare)"
            }
            // The end of a sentence, or of a command in quotation marks, and not a quoted path.
            let isValue = word.first == "'" && bare != "signet"
            if let last = word.last, "'.?;".contains(last), !isValue {
                command = nil
                isInName = false
            }
        }
        return options
    }

    private func filled(from line: [String]) -> String {
        var parts = text.split(separator: "{", omittingEmptySubsequences: false)
        var filled = String(parts.removeFirst())
        for part in parts {
            let inner = part.prefix { $0 != "}" }
            let name = inner.prefix { $0 != " " }
            if let value = Self.value(of: String(name), in: line) {
                filled += " \(name) \(PrivatePlaceFailure.word(value))"
            } else if name != inner {
                filled += " \(inner)"
            }
            filled += part.dropFirst(inner.count + 1)
        }
        return filled
    }

    /// The value of an option. If an option is given twice, the parser takes the last value.
    private static func value(of option: String, in line: [String]) -> String? {
        let options = line.prefix { !$0.utf8.elementsEqual("--".utf8) }
        var value: String?
        for (index, word) in options.enumerated() where word.utf8.starts(with: option.utf8) {
            let rest = word.utf8.dropFirst(option.utf8.count)
            if rest.isEmpty, index + 1 < options.count {
                value = options[index + 1]
            } else if rest.first == UInt8(ascii: "=") {
                value = String(decoding: rest.dropFirst(), as: UTF8.self)
            }
        }
        return value
    }
}
