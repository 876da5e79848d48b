// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension Outbox {
    /// A row for each message that is not sent yet, or is being sent.
    static let steps = [
        SchemaStep(
            "outbox.1",
            statements: [
                """
                CREATE TABLE signet_outbox (
                    key {bytes} NOT NULL PRIMARY KEY, message {bytes} NOT NULL,
                    sealed {bytes} NOT NULL, due_at {integer} NOT NULL, ends_at {integer} NOT NULL,
                    tries {integer} NOT NULL) {strict}
                """,
                "CREATE INDEX signet_outbox_by_time ON signet_outbox (due_at)",
                "CREATE INDEX signet_outbox_by_end ON signet_outbox (ends_at)",
            ])
    ]
}
