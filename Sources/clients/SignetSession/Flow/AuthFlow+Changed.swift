// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// The handling of the session manager's reports.
extension AuthFlow {
    mutating func changed(_ change: SessionChange) -> [Effect] {
        switch change {
        case .tokenRefreshed:
            if failure == .offline { failure = nil }
            return []
        case .offline:
            failure = .offline
            return []
        case .userUpdated(let user):
            return updated(user)
        case .signedOut:
            return end(revoking: false)
        case .ended:
            return end(revoking: false, because: .sessionEnded)
        case .locked:
            return locked()
        }
    }

    /// Takes over a user. A different id is a different user, who takes the same steps as at a
    /// sign-in.
    private mutating func updated(_ user: User) -> [Effect] {
        switch state {
        case .keeping:
            state = .keeping(user)
        case .migrating(let migration) where migration.to == user.id:
            state = .migrating(Migration(from: migration.from, user: user))
        case .loadingProfile(let known) where known.id == user.id:
            state = .loadingProfile(user)
        case .needsProfile(let known) where known.id == user.id:
            state = .needsProfile(user)
        case .signedIn(let known) where known.id == user.id:
            state = .signedIn(user)
        case .migrating, .loadingProfile, .needsProfile, .signedIn:
            let effects = abandon()
            return effects + askForProfile(of: user, isKnown: false)
        case .checking, .unavailable, .guest, .codeSent, .authenticating, .locked:
            break
        }
        return []
    }
}
