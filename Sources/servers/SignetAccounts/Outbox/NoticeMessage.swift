// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Tells a person of a change of the account, at an address or number that the account had before.
/// If the person did not make the change, somebody else has got in. Printing shows nothing of it.
///
/// It holds no code, no secret, no old value and no new value. A text says what changed, and what
/// to do if it was somebody else. Put no link into it that signs anybody in.
public struct NoticeMessage: Sendable, Redacted {
    /// The name of the notice, the same for each attempt to send it, for services that take an
    /// idempotency key.
    public let id: String
    /// The destination.
    public let destination: CodeDestination
    /// The change.
    public let change: AccountChange
    /// Whether the notice also stands for further changes since the notice before, because an
    /// account gets a limited number of notices.
    public let standsForOthers: Bool

    package init(
        id: String, destination: CodeDestination, change: AccountChange,
        standsForOthers: Bool = false
    ) {
        self.id = id
        self.destination = destination
        self.change = change
        self.standsForOthers = standsForOthers
    }
}
