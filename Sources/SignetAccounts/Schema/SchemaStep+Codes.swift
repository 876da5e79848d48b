// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension SchemaStep {
    /// One row for each limit and subject.
    static let limits = SchemaStep(
        "limits.1",
        [
            """
            CREATE TABLE signet_limits (
                key {bytes} NOT NULL PRIMARY KEY, full_until {integer} NOT NULL) {strict}
            """,
            "CREATE INDEX signet_limits_by_end ON signet_limits (full_until)",
        ])

    /// One row for each purpose and destination: a new code takes the old one's place.
    static let codes = SchemaStep(
        "codes.1",
        [
            """
            CREATE TABLE signet_codes (
                key {bytes} NOT NULL PRIMARY KEY, challenge {bytes} NOT NULL,
                code {bytes} NOT NULL, sent_at {integer} NOT NULL, ends_at {integer} NOT NULL,
                tries {integer} NOT NULL, used {integer} NOT NULL) {strict}
            """,
            "CREATE INDEX signet_codes_by_end ON signet_codes (ends_at)",
        ])

    /// One row for each message that is not sent yet, or is being sent.
    static let outbox = SchemaStep(
        "outbox.1",
        [
            """
            CREATE TABLE signet_outbox (
                key {bytes} NOT NULL PRIMARY KEY, message {bytes} NOT NULL,
                sealed {bytes} NOT NULL, due_at {integer} NOT NULL, ends_at {integer} NOT NULL,
                tries {integer} NOT NULL) {strict}
            """,
            "CREATE INDEX signet_outbox_by_time ON signet_outbox (due_at)",
            "CREATE INDEX signet_outbox_by_end ON signet_outbox (ends_at)",
        ])
}
