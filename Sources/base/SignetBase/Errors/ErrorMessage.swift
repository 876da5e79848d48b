// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The sentence of an error: what was expected, what was found, and what to do.
///
/// It is written as a string literal. What a literal may hold is decided here and nowhere else:
/// numbers, codes, the sentence of an error below, and text only as `\(shown: text)`, without
/// anything that a terminal would obey and at most ``maximumShownCount`` characters of it. So a
/// received value does not reach a log by accident, and no name of a type does.
///
/// A text that holds what looks like a secret (a token, PEM, a long random text) is replaced by
/// words that say so. That is a guess, for what people paste into the wrong place: give it no
/// secret. A code and a password look like any word.
public struct ErrorMessage: Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
    /// The most characters (Unicode scalars) of a sentence. The excess is left out.
    public static let maximumCount = 512
    /// The most characters (Unicode scalars) of a shown text.
    public static let maximumShownCount = 64

    /// The sentence.
    public let description: String

    /// A sentence without values.
    public init(stringLiteral value: String) { description = value.cut(to: Self.maximumCount) }

    /// A sentence with values.
    public init(stringInterpolation: StringInterpolation) {
        description = stringInterpolation.text.cut(to: Self.maximumCount)
    }

    /// The first sentence, then the second: for a literal that is longer than a line.
    public static func + (a: ErrorMessage, b: ErrorMessage) -> ErrorMessage { "\(a)\(b)" }

    /// Appends a sentence.
    package static func += (a: inout ErrorMessage, b: ErrorMessage) { a = a + b }

    /// The values that a sentence may hold.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        fileprivate var text = ""

        /// An empty sentence.
        public init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 16 * interpolationCount)
        }

        /// The words between the values.
        public mutating func appendLiteral(_ literal: String) { text += literal }

        /// A number.
        public mutating func appendInterpolation(_ number: some BinaryInteger) {
            text += String(number)
        }

        /// A time, in seconds.
        public mutating func appendInterpolation(_ time: Duration) {
            let thousandths = time.attoseconds / 1_000_000_000_000_000
            let (seconds, rest) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1_000)
            text += thousandths < 0 ? "-\(seconds)" : "\(seconds)"
            text += rest == 0 ? " s" : ".\(String(rest + 1_000).dropFirst()) s"
        }

        /// A code of an error, which Signet or its user has declared.
        public mutating func appendInterpolation<Domain>(_ code: CodedError<Domain>.Code) {
            appendInterpolation(shown: code.rawValue)
        }

        /// The sentence of a message.
        public mutating func appendInterpolation(_ message: ErrorMessage) {
            text += message.description
        }

        /// The sentence of an error that the new error stands for.
        public mutating func appendInterpolation<Domain>(messageOf error: CodedError<Domain>) {
            text += error.message
        }

        /// A text from outside, or a name. Characters that a terminal would obey become U+FFFD. A
        /// text over ``ErrorMessage/maximumShownCount`` characters is cut; a text that looks like a
        /// secret is not shown.
        public mutating func appendInterpolation(shown value: String) {
            appendInterpolation(shown: value, upTo: ErrorMessage.maximumShownCount)
        }

        /// A text like `shown:`, cut to `count` characters (Unicode scalars): for a sentence of a
        /// library or a server, which is longer than a name.
        public mutating func appendInterpolation(shown value: String, upTo count: Int) {
            text +=
                SecretShape.begins(in: value, within: count)
                ? SecretShape.hidden : value.withoutObeyed.cut(to: count)
        }

        /// Sentences or parts of a sentence, with the separator between them.
        package mutating func appendInterpolation(_ parts: [ErrorMessage], separator: String) {
            text += parts.map(\.description).joined(separator: separator)
        }

        /// A text that its maker has made fit: a text of Signet, a message that became public, or
        /// libpq's words about a connection. Scripts/reported-text.txt lists the files that may use
        /// it.
        package mutating func appendInterpolation(reported text: String) { self.text += text }

        /// A failure of the system, whose description completes a sentence.
        package mutating func appendInterpolation(_ failure: some DescribedFailure) {
            text += failure.description
        }

        /// A failure of the system, as a sentence of its own.
        package mutating func appendInterpolation(sentence failure: some DescribedFailure) {
            let words = failure.description
            text += words.prefix(1).uppercased() + words.dropFirst() + "."
        }
    }
}

/// A failure below the coded errors, whose description is a sentence with paths and numbers, and
/// nothing else from outside.
package protocol DescribedFailure: Error, CustomStringConvertible {}
