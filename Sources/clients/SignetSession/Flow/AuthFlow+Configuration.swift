// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension AuthFlow {
    /// An app's requirements for a sign-in.
    public struct Configuration: Sendable, Equatable {
        /// Whether guests can also see the app's content. It affects only ``AuthFlow/route``.
        public let allowsGuests: Bool
        /// What the app does with profiles.
        public let profile: ProfileRule

        /// By default for an app with content for signed-in users only, without profiles.
        public init(allowsGuests: Bool = false, profile: ProfileRule = .none) {
            self.allowsGuests = allowsGuests
            self.profile = profile
        }
    }

    /// What an app does with profiles.
    public enum ProfileRule: Sendable, Equatable {
        /// It has none.
        case none
        /// It loads one in parallel (``Effect/refreshProfile(_:)``).
        case optional
        /// Without one a user is not signed in (``State/needsProfile(_:)``).
        case required
    }
}
