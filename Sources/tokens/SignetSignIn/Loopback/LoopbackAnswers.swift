// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform

/// The answers of a ``LoopbackSignIn`` to the requests at its port. It waits there until a request
/// brings the provider's response, or opens the one-time address a second time.
final class LoopbackAnswers: Sendable {
    /// The event that ends the waiting.
    enum End: Sendable {
        case response(query: String)
        case openedTwice
    }

    /// What the port has seen so far.
    private struct Calls {
        /// Whether the one-time address was opened.
        var isOpened = false
        /// The user, other than this one, who was refused last.
        var refusedUser: UInt32?
    }

    /// The path of the one-time address: 256 random bits.
    let start: String
    private let path: String
    private let state: AuthorizationState
    private let address: String
    private let calls = Locked(Calls())

    /// - Parameters:
    ///   - begun: the sign-in that waits.
    ///   - path: the path of the sign-in's callback.
    init(_ begun: SignIn.Begun, path: String) throws(AuthorizationError) {
        start = "/go/" + (try RandomText.make())
        self.path = path
        state = begun.state
        address = begun.url
    }

    /// The user, other than this one, whose program last called the port with the one-time address
    /// or the callback.
    var refusedUser: UInt32? { calls.withLock { $0.refusedUser } }

    /// The answer to a request. Other users' programs get nothing of the sign-in, and end nothing.
    func answer(
        to head: [UInt8], from caller: LoopbackCaller
    ) -> LoopbackListener.Reading<End> {
        let request = LoopbackRequest(head: head, start: start, path: path, state: state)
        if case .other = request { return (LoopbackPage.other, nil) }
        if case .other(let user) = caller {
            calls.withLock { $0.refusedUser = user }
            return (LoopbackPage.foreign, nil)
        }
        if case .answer(let query) = request {
            return (LoopbackPage.page(for: query), .response(query: query))
        }
        // The one-time address.
        guard isFirstOpening() else {
            // Where the system does not say whose a call is, two callers cannot be told apart. The
            // first may have been somebody else, who would now sign in in this person's place.
            return (LoopbackPage.openedTwice, .openedTwice)
        }
        return (LoopbackPage.redirect(to: address), nil)
    }

    /// Whether the one-time address is opened for the first time. Notes that it was opened.
    private func isFirstOpening() -> Bool {
        calls.withLock { calls in
            defer { calls.isOpened = true }
            return !calls.isOpened
        }
    }
}
