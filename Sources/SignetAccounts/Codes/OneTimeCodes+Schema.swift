// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension OneTimeCodes {
    /// One row for each purpose and destination: a new code takes the old one's place.
    static let steps = [
        SchemaStep(
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
    ]
}
