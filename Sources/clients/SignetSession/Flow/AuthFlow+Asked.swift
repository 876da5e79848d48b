// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// The handling of requests.
extension AuthFlow {
    mutating func asked(_ intent: Intent) -> [Effect] {
        switch intent {
        case .cancel: cancel()
        case .signOut: end(revoking: mayHaveSession)
        case .lock: lock()
        default: isBusy ? [.refused(.busy)] : beginAction(for: intent)
        }
    }

    private mutating func beginAction(for intent: Intent) -> [Effect] {
        switch (intent, state) {
        case (.launch, .checking):
            return start(.readStore)
        case (.retry, .unavailable):
            state = .checking
            return start(.readStore)
        case (.sendCode(let destination), .guest), (.sendCode(let destination), .codeSent):
            return start(.sendCode(destination))
        case (.verify(let code), .codeSent(let destination)):
            return start(.verify(code, destination))
        case (.back, .codeSent):
            return endAction(in: .guest)
        case (.signIn(let provider), .guest):
            state = .authenticating(provider, after: nil)
            return start(.signIn(provider))
        case (.signIn(let provider), .codeSent(let destination)):
            state = .authenticating(provider, after: destination)
            return start(.signIn(provider))
        case (.retry, .migrating(let migration)):
            return start(.migrate(migration))
        case (.retry, .loadingProfile(let user)):
            return start(.loadProfile(user))
        case (.submitProfile(let draft), .needsProfile(let user)):
            return start(.saveProfile(draft, user))
        case (.deleteAccount, .signedIn(let user)):
            return start(.deleteAccount(user))
        case (.unlock, .locked):
            return start(.unlock)
        default:
            return [.refused(.notHere)]
        }
    }

    private mutating func cancel() -> [Effect] {
        guard isBusy else { return [] }
        // A partial write is removed again.
        if case .keeping = state { return end(revoking: true) }
        // An unlock may be finished with its answer pending: the store must not stay open.
        if case .locked = state { return abandon() + [.lockStore] }
        if case .authenticating(_, let destination) = state {
            state = Self.stateBefore(signInAfter: destination)
        }
        return abandon()
    }

    /// Locks, but only if there is or may be a session. The browser for a sign-in puts an app into
    /// the background, which must not lose the sign-in.
    private mutating func lock() -> [Effect] {
        if state == .locked && !isBusy { return [] }
        guard mayHaveSession else { return [.refused(.notHere)] }
        return locked() + [.lockStore]
    }

    mutating func locked() -> [Effect] {
        session = nil
        let effects = abandon()
        return effects + endAction(in: .locked)
    }

    private var mayHaveSession: Bool {
        switch state {
        case .guest, .codeSent, .authenticating: false
        case .checking, .unavailable, .keeping, .migrating, .loadingProfile, .needsProfile,
            .locked, .signedIn:
            true
        }
    }

    /// The state from which a sign-in at a provider began.
    static func stateBefore(signInAfter destination: Destination?) -> State {
        destination.map { .codeSent($0) } ?? .guest
    }
}
