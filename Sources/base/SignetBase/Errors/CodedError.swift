// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// An error of a domain of Signet: a stable code for programs and a sentence for people.
///
/// Each domain names its error (`TokenError` is `CodedError<TokenErrorDomain>`), lists its codes as
/// static members of ``Code``, and adds its own details. No error of Signet carries a secret.
public struct CodedError<Domain: ErrorDomain>: Error, Equatable, CustomStringConvertible {
    /// A stable, machine-readable reason. More codes may be added in a minor version.
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
    /// The error of a lower layer that this error stands for; nil for none. Neither the description
    /// nor ``==(_:_:)`` includes it. An error that is not Signet's may say anything.
    public let underlying: (any Error)?

    /// Makes an error with its domain's details.
    ///
    /// - Parameters:
    ///   - code: the stable reason.
    ///   - details: the domain's own details.
    ///   - underlying: the error of a lower layer that this error stands for.
    ///   - message: a sentence for people, as a literal: ``ErrorMessage`` says what it may hold.
    public init(
        _ code: Code, details: Domain.Details, underlying: (any Error)? = nil,
        _ message: ErrorMessage
    ) {
        self.code = code
        self.message = message.description
        self.details = details
        self.underlying = underlying
    }

    /// The code, then the codes of the errors below it, joined by points, for a log or a counter:
    /// `invalidToken.expired`.
    ///
    /// A code that repeats the code above it is left out. An error that is not Signet's gives the
    /// name of its type. There are as many texts as pairs of codes: no request adds a text.
    public var fullCode: String {
        var codes = [code.rawValue]
        var next = underlying
        while let error = next {
            let coded = error as? any AnyCodedError
            let name = coded?.stableCode ?? "\(type(of: error))"
            if codes.last != name { codes.append(name) }
            next = coded?.underlying
        }
        return codes.joined(separator: ".")
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
    ///
    /// - Parameters:
    ///   - code: the stable reason.
    ///   - underlying: the error of a lower layer that this error stands for.
    ///   - message: a sentence for people, as a literal: ``ErrorMessage`` says what it may hold.
    public init(_ code: Code, underlying: (any Error)? = nil, _ message: ErrorMessage) {
        self.init(code, details: NoErrorDetails(), underlying: underlying, message)
    }
}

/// A ``CodedError`` of any domain, for logs and counters: `error as? any AnyCodedError`. Only
/// `CodedError` conforms to it.
public protocol AnyCodedError: Error {
    /// The code's text.
    var stableCode: String { get }
    /// The code, then the codes of the errors below it: ``CodedError/fullCode``.
    var fullCode: String { get }
    /// The error of a lower layer that this error stands for.
    var underlying: (any Error)? { get }
    /// The name of the limit that is reached, never a person's name; nil if no limit is.
    var reachedLimit: String? { get }
}

extension CodedError: AnyCodedError {
    /// The code's text.
    public var stableCode: String { code.rawValue }
    /// The name of the reached limit, by ``ErrorDomain/reachedLimit(of:)``; nil for none.
    public var reachedLimit: String? { Domain.reachedLimit(of: self) }
}

/// The details, the description and the limits that the errors of a part of Signet share.
/// Conforming types have no values.
public protocol ErrorDomain {
    /// An error's details besides its code and sentence. Their `==` decides what counts when errors
    /// are compared.
    associatedtype Details: Equatable & Sendable = NoErrorDetails

    /// The description of an error, without anything secret.
    static func description(of error: CodedError<Self>) -> String

    /// The name of the limit that is reached, for a log; nil if no limit is, and by default. It
    /// must not name a person.
    static func reachedLimit(of error: CodedError<Self>) -> String?
}

extension ErrorDomain {
    /// The code and the sentence.
    public static func description(of error: CodedError<Self>) -> String {
        "\(error.code.rawValue): \(error.message)"
    }

    /// Nil: an error names no limit by default.
    public static func reachedLimit(of error: CodedError<Self>) -> String? { nil }
}

/// No details beyond a code and a sentence.
public struct NoErrorDetails: Hashable, Sendable {
    /// The only value.
    public init() {}
}
