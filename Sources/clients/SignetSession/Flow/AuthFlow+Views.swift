// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// The values that screens read from a flow.
extension AuthFlow {
    /// Three states for simple apps.
    public enum Simple: Sendable, Equatable {
        /// It is not certain yet whether there is a session; ``AuthFlow/route`` says what to show.
        case loading
        /// There is no session.
        case unauthenticated
        /// Signed in.
        case authenticated
    }

    /// A newcomer's steps.
    public enum Onboarding: Sendable, Equatable {
        /// Nothing for the person to do, or not part of an onboarding.
        case waiting
        /// The first screen.
        case welcome
        /// A sign-in is in progress.
        case signIn
        /// The person must choose a username or a profile.
        case profile
        /// Signed in.
        case done
    }

    /// The screen that fits the state.
    public enum Route: Sendable, Equatable {
        /// Wait, or retry if ``AuthFlow/failure`` is set.
        case splash
        /// The store cannot be read: retry, or sign out to start again.
        case storeProblem
        /// Sign in.
        case signIn
        /// Type the code.
        case enterCode
        /// Fill in the profile.
        case profile
        /// Unlock the store.
        case unlock
        /// The app's content.
        case content
    }

    /// The user; non-nil exactly in ``State/signedIn(_:)``.
    public var user: User? {
        if case .signedIn(let user) = state { user } else { nil }
    }

    /// The user's id; non-nil exactly in ``State/signedIn(_:)``.
    public var userID: UserID? { user?.id }

    /// The state as loading, unauthenticated or authenticated.
    public var simple: Simple {
        switch state {
        case .signedIn: .authenticated
        case .guest, .codeSent, .authenticating: .unauthenticated
        case .checking, .unavailable, .keeping, .migrating, .loadingProfile, .needsProfile, .locked:
            .loading
        }
    }

    /// The state as a step of the onboarding.
    public var onboarding: Onboarding {
        switch state {
        case .guest: isBusy ? .signIn : .welcome
        case .codeSent, .authenticating: .signIn
        case .needsProfile: .profile
        case .signedIn: .done
        case .checking, .unavailable, .keeping, .migrating, .loadingProfile, .locked: .waiting
        }
    }

    /// The state as a screen.
    public var route: Route {
        switch state {
        case .checking, .keeping, .migrating, .loadingProfile: .splash
        case .unavailable: .storeProblem
        case .guest: configuration.allowsGuests ? .content : .signIn
        case .authenticating: .signIn
        case .codeSent: .enterCode
        case .needsProfile: .profile
        case .locked: .unlock
        case .signedIn: .content
        }
    }
}
