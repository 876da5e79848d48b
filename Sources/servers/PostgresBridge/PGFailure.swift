// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A call of libpq that did not succeed, or that was not made because it would be wrong.
///
/// It carries no text of the server's own errors, because they quote values. The only text of
/// libpq's that it carries is the reason why no connection was made.
package struct PGFailure: Error, Sendable {
    package enum Kind: Sendable, Equatable {
        /// No connection was made; ``PGFailure/text`` says why.
        case unreachable
        /// The connection broke, or the server ended it.
        case lost
        /// The deadline passed. The connection is no longer usable.
        case timedOut
        /// The caller was cancelled. The connection is no longer usable.
        case interrupted
        /// The server answered with an error; ``PGFailure/state`` says which.
        case refused
        /// There was not enough memory, or no free descriptor.
        case outOfMemory
        /// A connection string that libpq cannot read.
        case unreadable
        /// The statement was given a number of values that it does not take.
        case valueCount(Int, expected: Int)
        /// A value has a type that the statement does not take.
        case valueType
        /// An answer has a column of a type that this module does not read, or a text that is not
        /// UTF-8.
        case foreignType
        /// The call was wrong: a text with a zero byte, a value that is too long, a connection that
        /// was closed. The fault is the caller's, not the server's.
        case misuse
    }

    package let kind: Kind
    /// The server's SQLSTATE, where it gave one.
    package let state: SQLState?
    /// Why no connection was made, in libpq's words: printable, and without the password.
    package let text: String

    init(_ kind: Kind, state: SQLState? = nil, text: String = "") {
        self.kind = kind
        self.state = state
        self.text = text
    }
}

/// Five characters that name an error of PostgreSQL (its documentation, appendix A).
package struct SQLState: Sendable, CustomStringConvertible {
    private let octets: [UInt8]

    init?(_ octets: [UInt8]) {
        guard octets.count == 5,
            octets.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) })
        else { return nil }
        self.octets = octets
    }

    /// Whether it begins with this text. The first two characters are the class of the error.
    package func begins(with text: StaticString) -> Bool {
        octets.starts(with: text.description.utf8)
    }

    package var description: String { String(decoding: octets, as: UTF8.self) }
}
