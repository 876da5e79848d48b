// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension SecondFactors {
    /// The row of a recovery code is deleted when the code is used.
    static let steps = [
        // A device for each user.
        SchemaStep(
            "factors.1",
            statements: [
                """
                CREATE TABLE signet_factors (
                    user_id TEXT NOT NULL PRIMARY KEY
                        REFERENCES signet_users (id) ON DELETE CASCADE,
                    sealed {bytes} NOT NULL, confirmed {integer} NOT NULL,
                    last_step {integer} NOT NULL) {strict}
                """,
                """
                CREATE TABLE signet_recovery_codes (
                    user_id TEXT NOT NULL REFERENCES signet_users (id) ON DELETE CASCADE,
                    hash {bytes} NOT NULL, PRIMARY KEY (user_id, hash)) {strict}
                """,
            ]),
        // Several for each user. The device of before keeps what it is sealed for, since its
        // identifier is its user's (`bound`). An unconfirmed one is left out: its user begins
        // again.
        //
        // The table has a name of its own: servers of the version before find none from now on, and
        // let no one in. In the new table they would confirm all factors of a user by the code of
        // one.
        //
        // The new table comes first. It locks the users, which other transactions hold before they
        // look at factors: in the other order, one of them and this step could wait for each other.
        SchemaStep(
            "factors.2",
            statements: [
                """
                CREATE TABLE signet_second_factors (
                    id TEXT NOT NULL PRIMARY KEY,
                    user_id TEXT NOT NULL REFERENCES signet_users (id) ON DELETE CASCADE,
                    name TEXT NOT NULL, kind TEXT NOT NULL, sealed {bytes} NOT NULL,
                    confirmed {integer} NOT NULL, last_step {integer} NOT NULL,
                    added_at {integer} NOT NULL, changed_at {integer} NOT NULL) {strict}
                """,
                """
                CREATE INDEX signet_second_factors_by_user ON signet_second_factors (user_id)
                """,
                "ALTER TABLE signet_factors RENAME TO signet_factors_1",
                """
                INSERT INTO signet_second_factors
                    (id, user_id, name, kind, sealed, confirmed, last_step, added_at, changed_at)
                SELECT user_id, user_id, '', 'code', sealed, 1, last_step, {now}, {now}
                FROM signet_factors_1 WHERE confirmed = 1
                """,
            ]),
        // By itself: PostgreSQL locks the users for it, and a transaction that holds a user may
        // wait for the table that the step before has renamed.
        SchemaStep("factors.3", statements: ["DROP TABLE signet_factors_1"]),
    ]
}
