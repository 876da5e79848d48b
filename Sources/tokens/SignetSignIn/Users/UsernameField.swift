// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The state of a field for a username: whether the typed name is valid and still free.
///
/// Each text that could be a name needs a question to the server. Wait a moment, ask only if
/// ``isCurrent(_:)``, and pass in the answer whenever it comes: an answer about an earlier text
/// changes nothing. An answer is only a hint; saving decides who gets the name.
public struct UsernameField: Sendable {
    /// The state of the text in the field.
    public enum State: Sendable, Equatable {
        /// Nothing is typed.
        case empty
        /// Not a valid username; the error tells the person why.
        case refused(SignInInputError)
        /// The answer has not come yet.
        case asking
        /// The username was free when the server was asked.
        case free
        /// The username is taken.
        case taken
        /// The server did not answer.
        case unknown
    }

    /// A question to the server.
    public struct Question: Sendable {
        /// The name to ask for.
        public let name: Username
        fileprivate let number: UInt64
    }

    /// The state to show.
    public private(set) var state = State.empty
    private var number: UInt64 = 0

    /// An empty field.
    public init() {}

    /// Takes the field's present text.
    ///
    /// - Returns: the question for the server; nil if the text needs none.
    public mutating func type(_ text: String) -> Question? {
        number &+= 1
        guard !text.isEmpty else {
            state = .empty
            return nil
        }
        do {
            let name = try Username(text)
            state = .asking
            return Question(name: name, number: number)
        } catch {
            state = .refused(error)
            return nil
        }
    }

    /// Whether the question is about the field's present text.
    public func isCurrent(_ question: Question) -> Bool { question.number == number }

    /// Takes the server's answer to a question; nil if the server gave none. A late answer is
    /// ignored.
    public mutating func answer(_ question: Question, isFree: Bool?) {
        guard isCurrent(question) else { return }
        state = isFree.map { $0 ? .free : .taken } ?? .unknown
    }
}
