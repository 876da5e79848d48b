// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform

/// Whether a stream shows colours, and the marks that make them.
///
/// Colour is for people at a terminal, so no answer for a script has any. Only Signet's own words
/// are marked: text of a token or a server is not, because it would look like Signet's verdict.
package struct TerminalStyle: Sendable {
    /// What a colour says, with its number among those of ECMA-48 (SGR).
    package enum Meaning: Int, CaseIterable, Sendable {
        case good = 32
        case bad = 31
        case warning = 33
    }

    /// Whether there are colours.
    package let isOn: Bool

    /// - Parameters:
    ///   - isTerminal: whether the stream is a terminal.
    ///   - variable: the environment. `NO_COLOR`, unless it is empty, switches colours off, and so
    ///     does a terminal that says that it has none (`TERM`).
    package init(isTerminal: Bool, variable: (String) -> String?) {
        isOn =
            isTerminal && (variable("NO_COLOR") ?? "").isEmpty && Self.isCapable(variable)
    }

    /// Whether the terminal says that it obeys control sequences (`TERM`).
    static func isCapable(_ variable: (String) -> String?) -> Bool {
        let terminal = variable("TERM") ?? ""
        return !["", "dumb"].contains { terminal.utf8.elementsEqual($0.utf8) }
    }

    /// The style of standard output.
    static var output: TerminalStyle {
        TerminalStyle(isTerminal: Output.isTerminal) { ProcessEnvironment.path($0) }
    }

    /// The text in the colour of a meaning.
    package func marked(_ text: String, as meaning: Meaning) -> String {
        isOn ? "\u{1b}[\(meaning.rawValue)m\(text)\u{1b}[0m" : text
    }
}
