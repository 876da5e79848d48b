// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE
internal import TestVectors

/// Why vectors could not be run. Two errors are equal when their codes are.
public struct AuditError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong: stable, to be matched on; more codes may be added.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name of the code.
        public let rawValue: String

        /// Makes a code from its stable name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The figures are nowhere to be found.
        public static let vectorsNotFound = Code(rawValue: "vectors_not_found")
        /// A file is absent or cannot be read.
        public static let unreadable = Code(rawValue: "unreadable")
        /// A file is not in the form that its format has.
        public static let malformed = Code(rawValue: "malformed")
        /// A figure file is not the one that the manifest names.
        public static let digestMismatch = Code(rawValue: "digest_mismatch")
        /// A file does not hold as many cases as it says.
        public static let countMismatch = Code(rawValue: "count_mismatch")
    }

    /// What is wrong.
    public let code: Code
    /// A sentence for a person.
    public let message: String

    /// Makes an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    init(_ error: TestVectorsError) {
        self.init(error.code == .notFound ? .vectorsNotFound : .unreadable, error.message)
    }

    init(_ error: JSONError, in file: String) { self.init(.malformed, "\(file): \(error)") }

    /// Errors are equal when their codes are.
    public static func == (a: AuditError, b: AuditError) -> Bool { a.code == b.code }

    /// The message.
    public var description: String { message }
}
