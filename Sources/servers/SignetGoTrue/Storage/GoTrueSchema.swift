// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts

/// The tables that this service adds to SignetAccounts' tables.
enum GoTrueSchema {
    static let steps = [
        SchemaStep(
            "gotrue/users.1",
            statements: [
                """
                CREATE TABLE signet_gotrue_users (
                    user_id TEXT NOT NULL PRIMARY KEY
                        REFERENCES signet_users (id) ON DELETE CASCADE,
                    metadata TEXT NOT NULL, updated_at {integer} NOT NULL,
                    signed_in_at {integer} NOT NULL) {strict}
                """,
                """
                CREATE TABLE signet_gotrue_sessions (
                    session_id TEXT NOT NULL PRIMARY KEY
                        REFERENCES signet_sessions (id) ON DELETE CASCADE,
                    method TEXT NOT NULL, at {integer} NOT NULL) {strict}
                """,
                // The purpose of a pending code, by the name of purpose and destination.
                """
                CREATE TABLE signet_gotrue_pending (
                    key {bytes} NOT NULL PRIMARY KEY, creates {integer} NOT NULL,
                    user_id TEXT REFERENCES signet_users (id) ON DELETE CASCADE,
                    hash TEXT, metadata TEXT, contested {integer} NOT NULL,
                    ends_at {integer} NOT NULL) {strict}
                """,
                """
                CREATE INDEX signet_gotrue_pending_by_end ON signet_gotrue_pending (ends_at)
                """,
                """
                CREATE INDEX signet_gotrue_pending_by_user ON signet_gotrue_pending (user_id)
                """,
                // Codes that a browser has brought to a client.
                """
                CREATE TABLE signet_gotrue_flows (
                    hash {bytes} NOT NULL PRIMARY KEY, challenge TEXT NOT NULL,
                    user_id TEXT NOT NULL REFERENCES signet_users (id) ON DELETE CASCADE,
                    ends_at {integer} NOT NULL) {strict}
                """,
                "CREATE INDEX signet_gotrue_flows_by_end ON signet_gotrue_flows (ends_at)",
                "CREATE INDEX signet_gotrue_flows_by_user ON signet_gotrue_flows (user_id)",
            ]),
        SchemaStep(
            "gotrue/pending.2",
            statements: [
                """
                ALTER TABLE signet_gotrue_pending ADD COLUMN
                    session_id TEXT REFERENCES signet_sessions (id) ON DELETE CASCADE
                """,
                """
                CREATE INDEX signet_gotrue_pending_by_session ON signet_gotrue_pending (session_id)
                """,
                // These rows lack the session that asked for the change.
                "DELETE FROM signet_gotrue_pending WHERE user_id IS NOT NULL",
            ]),
        // A row stays without its session or user: it may be contested, and ending a session or
        // user must not hide that. SQLite cannot change a foreign key in place, so the table is
        // replaced. It is renamed first: servers of the version before wait, and go on with the new
        // table. PostgreSQL locks users and sessions for a moment. If a dump or a similar read
        // takes over 3 s, the start fails: start again.
        SchemaStep(
            "gotrue/pending.3",
            statements: [
                "ALTER TABLE signet_gotrue_pending RENAME TO signet_gotrue_pending_2",
                """
                CREATE TABLE signet_gotrue_pending (
                    key {bytes} NOT NULL PRIMARY KEY, creates {integer} NOT NULL,
                    user_id TEXT REFERENCES signet_users (id) ON DELETE SET NULL,
                    hash TEXT, metadata TEXT, contested {integer} NOT NULL,
                    ends_at {integer} NOT NULL,
                    session_id TEXT REFERENCES signet_sessions (id) ON DELETE SET NULL) {strict}
                """,
                """
                INSERT INTO signet_gotrue_pending
                    (key, creates, user_id, hash, metadata, contested, ends_at, session_id)
                SELECT key, creates, user_id, hash, metadata, contested, ends_at, session_id
                FROM signet_gotrue_pending_2
                """,
                "DROP TABLE signet_gotrue_pending_2",
                """
                CREATE INDEX signet_gotrue_pending_by_end ON signet_gotrue_pending (ends_at)
                """,
                """
                CREATE INDEX signet_gotrue_pending_by_user ON signet_gotrue_pending (user_id)
                """,
                """
                CREATE INDEX signet_gotrue_pending_by_session ON signet_gotrue_pending (session_id)
                """,
            ]),
        SchemaStep(
            "gotrue/answers.1",
            statements: [
                """
                CREATE TABLE signet_gotrue_answers (
                    key {bytes} NOT NULL PRIMARY KEY,
                    session_id TEXT NOT NULL REFERENCES signet_sessions (id) ON DELETE CASCADE,
                    sealed {bytes} NOT NULL, ends_at {integer} NOT NULL) {strict}
                """,
                "CREATE INDEX signet_gotrue_answers_by_end ON signet_gotrue_answers (ends_at)",
                """
                CREATE INDEX signet_gotrue_answers_by_session ON signet_gotrue_answers (session_id)
                """,
            ]),
        // A row for each request, by the name of its challenge. A row of an earlier version names
        // its destination and no challenge; it is granted as before.
        SchemaStep(
            "gotrue/pending.4",
            statements: [
                "ALTER TABLE signet_gotrue_pending RENAME TO signet_gotrue_pending_3",
                """
                CREATE TABLE signet_gotrue_pending (
                    request {bytes} NOT NULL PRIMARY KEY, client {bytes} NOT NULL,
                    key {bytes} NOT NULL, creates {integer} NOT NULL,
                    user_id TEXT REFERENCES signet_users (id) ON DELETE SET NULL,
                    hash TEXT, metadata TEXT, contested {integer} NOT NULL,
                    ends_at {integer} NOT NULL,
                    session_id TEXT REFERENCES signet_sessions (id) ON DELETE SET NULL) {strict}
                """,
                """
                INSERT INTO signet_gotrue_pending (request, client, key, creates, user_id, hash,
                    metadata, contested, ends_at, session_id)
                SELECT key, key, key, creates, user_id, hash, metadata, contested, ends_at,
                    session_id
                FROM signet_gotrue_pending_3
                """,
                "DROP TABLE signet_gotrue_pending_3",
                "CREATE INDEX signet_gotrue_pending_by_key ON signet_gotrue_pending (key)",
                """
                CREATE INDEX signet_gotrue_pending_by_end ON signet_gotrue_pending (ends_at)
                """,
                """
                CREATE INDEX signet_gotrue_pending_by_user ON signet_gotrue_pending (user_id)
                """,
                """
                CREATE INDEX signet_gotrue_pending_by_session ON signet_gotrue_pending (session_id)
                """,
            ]),
        AddressChanges.step,
        // What providers say about a person. A row goes with its identity.
        SchemaStep(
            "gotrue/identities.1",
            statements: [
                """
                CREATE TABLE signet_gotrue_identities (
                    issuer TEXT NOT NULL, subject TEXT NOT NULL, name TEXT, picture TEXT,
                    email TEXT, email_verified {integer} NOT NULL,
                    PRIMARY KEY (issuer, subject),
                    FOREIGN KEY (issuer, subject)
                        REFERENCES signet_identities (issuer, subject) ON DELETE CASCADE) {strict}
                """
            ]),
        // The table of passwords, which step 1 also made, now belongs to SignetAccounts. The name
        // of this step stays, so that a database in which it was done does not count as newer.
        SchemaStep("gotrue/passwords.2", statements: []),
        FactorChallenges.step,
    ]
}
