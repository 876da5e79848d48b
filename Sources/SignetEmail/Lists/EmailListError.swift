// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Why a list of domains or of public suffixes was not read. Nothing of a list with an error is used.
public struct EmailListError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A stable, machine-readable reason. More may be added in a minor version.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The text of the code, which does not change between versions.
        public let rawValue: String

        /// A code from its text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// More octets, lines or entries than the limit.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// Octets that are no UTF-8.
        public static let encoding = Code(rawValue: "encoding")
        /// A line that is none of the format's.
        public static let line = Code(rawValue: "line")
        /// Not one entry: a list of nothing would let everything through.
        public static let empty = Code(rawValue: "empty")
        /// A section of a public suffix list that does not end: a part of the file is missing.
        public static let truncated = Code(rawValue: "truncated")
    }

    /// The stable reason.
    public let code: Code
    /// The line that it is about, from 1; nil when it is about the whole.
    public let line: Int?
    /// A sentence for a person, without anything of the list.
    public let message: String

    /// An error with a code and a sentence.
    public init(_ code: Code, line: Int? = nil, _ message: String) {
        self.code = code
        self.line = line
        self.message = message
    }

    /// Compares codes and lines, not sentences.
    public static func == (a: EmailListError, b: EmailListError) -> Bool {
        a.code == b.code && a.line == b.line
    }

    /// Hashes what is compared.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(line)
    }

    /// The code, the line and the sentence.
    public var description: String {
        "\(code.rawValue): " + (line.map { "Line \($0): " } ?? "") + message
    }
}
