// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension AuthFlow {
    /// An app's requirements for a sign-in.
    public struct Configuration: Sendable, Equatable {
        /// Whether guests can also see the app's content. Affects only ``AuthFlow/route``.
        public let allowsGuests: Bool
        /// The app's rule for profiles.
        public let profile: ProfileRule

        /// Makes a configuration; by default for an app with content for signed-in users only,
        /// without profiles.
        public init(allowsGuests: Bool = false, profile: ProfileRule = .none) {
            self.allowsGuests = allowsGuests
            self.profile = profile
        }
    }

    /// An app's rule for profiles.
    public enum ProfileRule: Sendable, Equatable {
        /// The app has no profiles.
        case none
        /// The app loads a profile in parallel (``Effect/refreshProfile(_:)``).
        case optional
        /// Without a profile a user is not signed in (``State/needsProfile(_:)``).
        case required
    }
}
