// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetSession
import Testing

/// The columns of the transition table.
enum EventKind: String, CaseIterable {
    case launch
    case sendCode
    case verify
    case signIn
    case submitProfile
    case deleteAccount
    case unlock
    case lock
    case signOut
    case cancel
    case back
    case retry

    case storeSignedIn
    case storeLegacy
    case storeProfile
    case storeSignedOut
    case storeLocked
    case storeUnavailable
    case codeSent
    case signedIn
    case kept
    case keptLegacy
    case keptProfile
    case migrated
    case profileFound
    case profileAbsent
    case profileSaved
    case accountDeleted
    case failed

    case tokenRefreshed
    case userUpdated
    case userReplaced
    case sessionSignedOut
    case sessionEnded
    case sessionLocked
    case offline

    static let answers = allCases.filter { $0.answer(Persons.anna) != nil }
    static let changes = allCases.filter { $0.change(Persons.anna) != nil }

    /// The event of this kind, for a person who signs in.
    func event(
        _ persons: Persons, answering action: AuthFlow.Generation, of session: AuthFlow.Generation
    ) -> AuthFlow.Event? {
        if let intent = intent(persons) { return .asked(intent) }
        if let answer = answer(persons) { return .answered(answer, action) }
        return change(persons).map { .session($0, session) }
    }

    private func intent(_ persons: Persons) -> AuthFlow.Intent? {
        switch self {
        case .launch: .launch
        case .sendCode: .sendCode(persons.destination)
        case .verify: .verify(persons.code)
        case .signIn: .signIn(persons.provider)
        case .submitProfile: .submitProfile(persons.draft)
        case .deleteAccount: .deleteAccount
        case .unlock: .unlock
        case .lock: .lock
        case .signOut: .signOut
        case .cancel: .cancel
        case .back: .back
        case .retry: .retry
        default: nil
        }
    }

    private func answer(_ persons: Persons) -> AuthFlow.Answer? {
        let user = persons.user
        let legacy = AuthFlow.Legacy(id: persons.legacy)
        switch self {
        case .storeSignedIn: return .store(.signedIn(user, AuthFlow.Standing()))
        case .storeLegacy: return .store(.signedIn(user, AuthFlow.Standing(legacy: legacy)))
        case .storeProfile: return .store(.signedIn(user, AuthFlow.Standing(hasProfile: true)))
        case .storeSignedOut: return .store(.signedOut)
        case .storeLocked: return .store(.locked)
        case .storeUnavailable: return .store(.unavailable(.storeDamaged))
        case .codeSent: return .codeSent
        case .signedIn: return .signedIn(user)
        case .kept: return .kept(AuthFlow.Standing())
        case .keptLegacy: return .kept(AuthFlow.Standing(legacy: legacy))
        case .keptProfile: return .kept(AuthFlow.Standing(hasProfile: true))
        case .migrated: return .migrated
        case .profileFound: return .profileFound
        case .profileAbsent: return .profileAbsent
        case .profileSaved: return .profileSaved
        case .accountDeleted: return .accountDeleted
        case .failed: return .failed(.serverFailed)
        default: return nil
        }
    }

    private func change(_ persons: Persons) -> AuthFlow.SessionChange? {
        switch self {
        case .tokenRefreshed: .tokenRefreshed
        case .userUpdated: .userUpdated(AuthFlow.User(id: persons.user.id))
        case .userReplaced: .userUpdated(persons.other)
        case .sessionSignedOut: .signedOut
        case .sessionEnded: .ended
        case .sessionLocked: .locked
        case .offline: .offline
        default: nil
        }
    }
}

/// Who signs in, and with what.
struct Persons {
    let destination: AuthFlow.Destination
    let code: AuthFlow.Code
    let user: AuthFlow.User
    let other: AuthFlow.User
    let legacy: AuthFlow.UserID
    let provider = AuthFlow.Provider(rawValue: "google")
    let draft: AuthFlow.ProfileDraft

    /// Nil if one of the texts is refused.
    init?(named name: String) {
        guard let destination = AuthFlow.Destination("+41 79 555 01 23 \(name)"),
            let code = AuthFlow.Code("493817-\(name)"),
            let id = AuthFlow.UserID("account-\(name)"),
            let other = AuthFlow.UserID("another-\(name)"),
            let legacy = AuthFlow.UserID("local-\(name)")
        else { return nil }
        self.destination = destination
        self.code = code
        user = AuthFlow.User(id: id, contact: destination)
        self.other = AuthFlow.User(id: other)
        self.legacy = legacy
        draft = AuthFlow.ProfileDraft(username: "username-\(name)", fullName: "Full \(name)")
    }

    static let anna = make("anna")
    static let bert = make("bert")

    private static func make(_ name: String) -> Persons {
        guard let persons = Persons(named: name) else { fatalError("The names are too long.") }
        return persons
    }
}
