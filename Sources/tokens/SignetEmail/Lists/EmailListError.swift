// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Why a list of domains or public suffixes was rejected. Nothing of a faulty list is used.
public typealias EmailListError = CodedError<EmailListErrorDomain>

/// The domain of ``EmailListError``.
public enum EmailListErrorDomain: ErrorDomain {
    /// The line at fault. Comparing errors includes it.
    public struct Details: Hashable, Sendable {
        let line: Int?
    }
}

extension EmailListError {
    /// The line at fault, from 1; nil if the whole list is at fault.
    public var line: Int? { details.line }

    /// An error with a code and a sentence.
    ///
    /// - Parameters:
    ///   - code: the stable reason.
    ///   - line: the line at fault, from 1.
    ///   - underlying: the error of a lower layer that this error stands for.
    ///   - message: a sentence for people; the line is put before it.
    public init(
        _ code: Code, line: Int? = nil, underlying: (any Error)? = nil, _ message: ErrorMessage
    ) {
        self.init(
            code, details: .init(line: line), underlying: underlying,
            line.map { "Line \($0): \(message)" } ?? message)
    }
}

extension EmailListError.Code {
    /// More octets, lines or entries than the limit.
    public static var tooLarge: Self { Self(rawValue: "tooLarge") }
    /// Octets that are no UTF-8.
    public static var encoding: Self { Self(rawValue: "encoding") }
    /// A line is not in the format.
    public static var line: Self { Self(rawValue: "line") }
    /// No entry: an empty list would let everything through.
    public static var empty: Self { Self(rawValue: "empty") }
    /// A section of a public suffix list does not end: part of the file is missing.
    public static var truncated: Self { Self(rawValue: "truncated") }
}
