// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension AuthFlow {
    /// What an app asks of a sign-in.
    public struct Configuration: Sendable, Equatable {
        /// Whether the app's content is there for guests too. It changes ``AuthFlow/route`` alone.
        public let allowsGuests: Bool
        /// What the app does with profiles.
        public let profile: ProfileRule

        /// An app whose content is for signed-in users, without profiles.
        public init(allowsGuests: Bool = false, profile: ProfileRule = .none) {
            self.allowsGuests = allowsGuests
            self.profile = profile
        }
    }

    /// What an app does with profiles.
    public enum ProfileRule: Sendable, Equatable {
        /// It has none.
        case none
        /// It loads one beside all else (``Effect/refreshProfile(_:)``).
        case optional
        /// Without one a user is not signed in (``State/needsProfile(_:)``).
        case required
    }
}
