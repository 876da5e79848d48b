// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Why there is no converter. It carries no domain.
public struct ICUError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A stable, machine-readable reason. More may be added in a minor version.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The text of the code, which does not change between versions.
        public let rawValue: String

        /// A code from its text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// ICU cannot be used in this process.
        public static let unavailable = Code(rawValue: "unavailable")
    }

    /// The stable reason.
    public let code: Code
    /// A sentence for a person who operates the server.
    public let message: String

    /// An error with a code and a sentence.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Compares codes, not sentences.
    public static func == (a: ICUError, b: ICUError) -> Bool { a.code == b.code }

    /// The code and the sentence.
    public var description: String { "\(code.rawValue): \(message)" }
}
