// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Tells a person of a change of the account, at an address or number that was the account's before
/// it: if the person did not make the change, somebody else is in. Printing shows nothing of it.
///
/// It holds no code and no secret, and neither the old value nor the new one. A text says what
/// changed, and what to do if it was somebody else. Put no link into it that signs anybody in.
public struct NoticeMessage: Sendable, Redacted {
    /// The same for each attempt to send it, for services that take an idempotency key.
    public let id: String
    /// The destination.
    public let destination: CodeDestination
    /// What changed.
    public let change: AccountChange
    /// Whether it stands for other changes too, which were made since the notice before: an account
    /// gets a limited number of notices.
    public let standsForOthers: Bool

    package init(
        id: String, destination: CodeDestination, change: AccountChange,
        standsForOthers: Bool = false
    ) {
        (self.id, self.destination, self.change) = (id, destination, change)
        self.standsForOthers = standsForOthers
    }
}
