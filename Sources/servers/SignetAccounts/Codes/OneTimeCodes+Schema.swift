// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension OneTimeCodes {
    /// A row for each request. `key` names destination and purpose, `client` the client's first
    /// request, `asker` its address; `known` is the raw value of its `CodeClient`.
    static let steps = [
        SchemaStep(
            "codes.1",
            statements: [
                """
                CREATE TABLE signet_codes (
                    key {bytes} NOT NULL PRIMARY KEY, challenge {bytes} NOT NULL,
                    code {bytes} NOT NULL, sent_at {integer} NOT NULL, ends_at {integer} NOT NULL,
                    tries {integer} NOT NULL, used {integer} NOT NULL) {strict}
                """,
                "CREATE INDEX signet_codes_by_end ON signet_codes (ends_at)",
            ]),
        // Codes that were sent before stay good. They belong to no address: `key` is the HMAC of no
        // address.
        SchemaStep(
            "codes.2",
            statements: [
                """
                CREATE TABLE signet_codes_2 (
                    challenge {bytes} NOT NULL PRIMARY KEY, key {bytes} NOT NULL,
                    client {bytes} NOT NULL, asker {bytes} NOT NULL, known {integer} NOT NULL,
                    code {bytes} NOT NULL, sent_at {integer} NOT NULL, ends_at {integer} NOT NULL,
                    tries {integer} NOT NULL, used {integer} NOT NULL) {strict}
                """,
                """
                INSERT INTO signet_codes_2 (
                    challenge, key, client, asker, known, code, sent_at, ends_at, tries, used)
                SELECT challenge, key, challenge, key, 0, code, sent_at, ends_at, tries, used
                FROM signet_codes
                """,
                "DROP TABLE signet_codes",
                "ALTER TABLE signet_codes_2 RENAME TO signet_codes",
                "CREATE INDEX signet_codes_by_key ON signet_codes (key)",
                "CREATE INDEX signet_codes_by_end ON signet_codes (ends_at)",
            ]),
        // NULL without a link: servers of the version before go on beside this one.
        SchemaStep(
            "codes.3",
            statements: [
                "ALTER TABLE signet_codes ADD COLUMN link {bytes}",
                "ALTER TABLE signet_codes ADD COLUMN link_to {bytes}",
                "CREATE INDEX signet_codes_by_link ON signet_codes (link)",
            ]),
    ]
}
