// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetSession

/// The rows of the table of transitions: a state, and the action in flight where there is one.
enum Situation: String, CaseIterable {
    case notLaunched
    case checking
    case unavailable
    case guest
    case sendingCode
    case codeSent
    case resendingCode
    case verifyingCode
    case authenticating
    case authenticatingAfterCode
    case keeping
    case migrating
    case migrationStopped
    case loadingProfile
    case profileUnknown
    case needsProfile
    case savingProfile
    case signedIn
    case deletingAccount
    case locked
    case unlocking

    /// The events that lead here from before the launch.
    var path: [EventKind] {
        switch self {
        case .notLaunched: []
        case .checking: [.launch]
        case .unavailable: [.launch, .storeUnavailable]
        case .guest: [.launch, .storeSignedOut]
        case .sendingCode: Self.guest.path + [.sendCode]
        case .codeSent: Self.sendingCode.path + [.codeSent]
        case .resendingCode: Self.codeSent.path + [.sendCode]
        case .verifyingCode: Self.codeSent.path + [.verify]
        case .authenticating: Self.guest.path + [.signIn]
        case .authenticatingAfterCode: Self.codeSent.path + [.signIn]
        case .keeping: Self.verifyingCode.path + [.signedIn]
        case .migrating: Self.keeping.path + [.keptLegacy]
        case .migrationStopped: Self.migrating.path + [.failed]
        case .loadingProfile: Self.keeping.path + [.kept]
        case .profileUnknown: Self.loadingProfile.path + [.failed]
        case .needsProfile: Self.loadingProfile.path + [.profileAbsent]
        case .savingProfile: Self.needsProfile.path + [.submitProfile]
        case .signedIn: Self.loadingProfile.path + [.profileFound]
        case .deletingAccount: Self.signedIn.path + [.deleteAccount]
        case .locked: Self.signedIn.path + [.lock]
        case .unlocking: Self.locked.path + [.unlock]
        }
    }

    /// The same with a session that the launch, or the unlocking, found in the store.
    var pathsFromStore: [[EventKind]] {
        let found: [EventKind: EventKind] = [
            .kept: .storeSignedIn, .keptLegacy: .storeLegacy, .keptProfile: .storeProfile,
        ]
        let kept = Self.keeping.path.count
        guard path.count > kept, let answer = found[path[kept]] else { return [] }
        return [[.launch], [.launch, .storeLocked, .unlock]].map {
            $0 + [answer] + path.dropFirst(kept + 1)
        }
    }

    /// What a flow shows outside, and the latest action.
    init(_ flow: AuthFlow, lastBegun action: String?) {
        switch flow.state {
        case .checking: self = flow.isBusy ? .checking : .notLaunched
        case .unavailable: self = .unavailable
        case .guest: self = flow.isBusy ? .sendingCode : .guest
        case .codeSent:
            self =
                if !flow.isBusy { .codeSent } else if action == "verify" { .verifyingCode } else {
                    .resendingCode
                }
        case .authenticating(_, let destination):
            self = destination == nil ? .authenticating : .authenticatingAfterCode
        case .keeping: self = .keeping
        case .migrating: self = flow.isBusy ? .migrating : .migrationStopped
        case .loadingProfile: self = flow.isBusy ? .loadingProfile : .profileUnknown
        case .needsProfile: self = flow.isBusy ? .savingProfile : .needsProfile
        case .signedIn: self = flow.isBusy ? .deletingAccount : .signedIn
        case .locked: self = flow.isBusy ? .unlocking : .locked
        }
    }
}
