// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Why the figures could not be had. Two errors are equal when their codes are.
public struct TestVectorsError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong: stable, to be matched on; more codes may be added.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name of the code.
        public let rawValue: String

        /// Makes a code from its stable name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// No folder with a manifest is where one was looked for.
        public static let notFound = Code(rawValue: "not_found")
        /// A file is absent or cannot be read.
        public static let unreadable = Code(rawValue: "unreadable")
    }

    /// What is wrong.
    public let code: Code
    /// A sentence for a person, with what to do.
    public let message: String

    /// Makes an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Errors are equal when their codes are.
    public static func == (a: TestVectorsError, b: TestVectorsError) -> Bool { a.code == b.code }

    /// The message.
    public var description: String { message }
}
