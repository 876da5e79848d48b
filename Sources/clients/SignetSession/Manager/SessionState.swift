// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The person who is signed in, as far as this client knows.
public enum SessionState: Sendable, Equatable {
    /// Nothing has been read: ``SessionManager/start()`` has not returned yet.
    case checking
    /// There is a session. Its token may need a refresh, which may have to wait for the network.
    case signedIn(SessionUser)
    /// The store certainly has no session.
    case signedOut(SignedOutReason)
    /// The store is locked, and may have a session.
    case locked
    /// The store cannot be read, or its content is damaged. Nothing is removed because of this.
    case unavailable(StoreError)

    /// Whether the state is ``signedIn(_:)``. False does not mean that the person is signed out.
    public var isSignedIn: Bool { if case .signedIn = self { true } else { false } }
}

/// Why there is no session.
public enum SignedOutReason: Sendable, Hashable {
    /// No session was found.
    case noSession
    /// ``SessionManager/signOut(_:)`` was called here.
    case signedOutHere
    /// Another program or process removed the session.
    case removedElsewhere
    /// The server said that the session has ended.
    case endedByServer
}

/// The user of a session.
public struct SessionUser: Sendable, Equatable {
    /// The server's identifier of the user. Not printed: it may be personal.
    public let id: String
    /// The last ``SessionGrant/profile``.
    public let profile: String?

    /// Compares bytes.
    public static func == (a: Self, b: Self) -> Bool {
        a.id.utf8.elementsEqual(b.id.utf8) && (a.profile == nil) == (b.profile == nil)
            && (a.profile ?? "").utf8.elementsEqual((b.profile ?? "").utf8)
    }
}

extension SessionUser: Redacted {}

/// An event of a session. Events come in order.
public enum SessionEvent: Sendable, Equatable {
    /// The state: the first event of every listener, and then each change.
    case state(SessionState)
    /// There is a new access token, which is already stored.
    case refreshed
    /// The refresh failed. The session stays, and the manager retries by itself.
    case refreshFailed(SessionError)
}
