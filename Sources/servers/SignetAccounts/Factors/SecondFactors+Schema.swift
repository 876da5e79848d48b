// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension SecondFactors {
    /// A device for each user. The row of a recovery code is deleted when the code is used.
    static let steps = [
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
            ])
    ]
}
