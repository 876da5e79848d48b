// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// An error of one of Signet's domains: a stable code for programs and a sentence for people.
///
/// Each domain names its error (`TokenError` is `CodedError<TokenErrorDomain>`), lists its codes as
/// static members of ``Code``, and adds its own details. No error of Signet carries a secret.
public struct CodedError<Domain: ErrorDomain>: Error, Equatable, CustomStringConvertible {
    /// A stable, machine-readable reason. More may be added in a minor version.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The text of the code, which does not change between versions.
        public let rawValue: String

        /// A code from its text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The text.
        public var description: String { rawValue }
    }

    /// The stable reason.
    public let code: Code
    /// A sentence for people: what was wrong and what to do.
    public let message: String
    /// The domain's own details.
    public let details: Domain.Details

    /// Makes an error with its domain's details.
    public init(_ code: Code, details: Domain.Details, _ message: String) {
        self.code = code
        self.message = message
        self.details = details
    }

    /// Compares the codes and what the domain includes of its details, never the sentences: a
    /// better sentence breaks no test.
    public static func == (a: Self, b: Self) -> Bool { a.code == b.code && a.details == b.details }

    /// In most domains the code and the sentence.
    public var description: String { Domain.description(of: self) }
}

extension CodedError: Hashable where Domain.Details: Hashable {
    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(details)
    }
}

extension CodedError where Domain.Details == NoErrorDetails {
    /// An error with a code and a sentence, for tests and for code that wraps Signet.
    public init(_ code: Code, _ message: String) {
        self.init(code, details: NoErrorDetails(), message)
    }
}

/// An error with a stable code, whatever its domain, for logs and counters.
package protocol HasStableCode: Error {
    var stableCode: String { get }
}

extension CodedError: HasStableCode {
    package var stableCode: String { code.rawValue }
}

/// What the errors of one part of Signet share. Conforming types have no values.
public protocol ErrorDomain {
    /// An error's details besides its code and sentence. Their `==` decides what counts when errors
    /// are compared.
    associatedtype Details: Equatable & Sendable = NoErrorDetails

    /// The description of an error, without anything secret.
    static func description(of error: CodedError<Self>) -> String
}

extension ErrorDomain {
    /// The code and the sentence.
    public static func description(of error: CodedError<Self>) -> String {
        "\(error.code.rawValue): \(error.message)"
    }
}

/// No details beyond a code and a sentence.
public struct NoErrorDetails: Hashable, Sendable {
    /// The only value.
    public init() {}
}
