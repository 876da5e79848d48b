// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetSession

/// Keeps a program from ending while it exchanges tokens: from the request that spends a refresh
/// token or a code until what the server gave for it is stored.
package protocol ExchangeHold: Sendable {
    /// Called right before a request whose answer may have tokens.
    ///
    /// - Throws: why the request must not be sent.
    func begin(_ kind: ExchangeKind) throws(SessionError)

    /// Called after a sign-in's request that gave no tokens.
    func releaseSignIn()

    /// Takes what waits for the end of a refresh and keeps a new one from beginning.
    func add(drain: @escaping @Sendable () async -> Void)
}

/// A kind of exchange.
package enum ExchangeKind: Sendable {
    /// Ends when its manager has stored the answer.
    case refresh
    /// Ends when the program says so.
    case signIn
}
