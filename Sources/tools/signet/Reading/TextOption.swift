// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetPlatform

// The parser's own initialisers of options and arguments for text, and preferred to those because
// these are for `String` alone. An argument arrives as ``PathText``, and what names no file must be
// text: two accounts whose names are not UTF-8 would otherwise be one.

extension Option where Value == String {
    init(
        name: NameSpecification = .long, parsing strategy: SingleValueParsingStrategy = .next,
        help: ArgumentHelp? = nil, completion: CompletionKind? = nil
    ) {
        self.init(
            name: name, parsing: strategy, help: help, completion: completion,
            transform: Text.checked)
    }

    init(
        wrappedValue: String, name: NameSpecification = .long,
        parsing strategy: SingleValueParsingStrategy = .next, help: ArgumentHelp? = nil,
        completion: CompletionKind? = nil
    ) {
        // With a transformation the parser does not name the default itself.
        var help = help
        if !wrappedValue.isEmpty { help?.abstract += " (default: \(wrappedValue))" }
        self.init(
            wrappedValue: wrappedValue, name: name, parsing: strategy, help: help,
            completion: completion, transform: Text.checked)
    }
}

extension Option where Value == String? {
    init(
        name: NameSpecification = .long, parsing strategy: SingleValueParsingStrategy = .next,
        help: ArgumentHelp? = nil, completion: CompletionKind? = nil
    ) {
        self.init(
            name: name, parsing: strategy, help: help, completion: completion,
            transform: Text.checked)
    }
}

extension Option where Value == [String] {
    init(
        wrappedValue: [String], name: NameSpecification = .long,
        parsing strategy: ArrayParsingStrategy = .singleValue, help: ArgumentHelp? = nil,
        completion: CompletionKind? = nil
    ) {
        self.init(
            wrappedValue: wrappedValue, name: name, parsing: strategy, help: help,
            completion: completion, transform: Text.checked)
    }
}

extension Argument where Value == String {
    init(help: ArgumentHelp? = nil, completion: CompletionKind? = nil) {
        self.init(help: help, completion: completion, transform: Text.checked)
    }
}

extension Argument where Value == String? {
    init(help: ArgumentHelp? = nil, completion: CompletionKind? = nil) {
        self.init(help: help, completion: completion, transform: Text.checked)
    }
}

/// Text among the arguments.
enum Text {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The argument, to the byte; refuses bytes that are not UTF-8.
    static let checked: @Sendable (String) throws -> String = { argument in
        guard let text = PathText.name(argument) else {
            throw Failure(description: "It is not UTF-8.")
        }
        return text
    }
}
