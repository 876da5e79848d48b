// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The statements on identities and profiles. Each change of a user's data locks the user's row
/// first (``AccountUsers/hold(_:in:)``), so that it sees what the change before it left. `{now}` is
/// the database's clock in milliseconds.
enum PeopleStatements {
    static let findOwner: SQLStatement =
        "SELECT user_id FROM signet_identities WHERE issuer = $1 AND subject = $2"
    static let addIdentity: SQLStatement = """
        INSERT INTO signet_identities (issuer, subject, user_id, linked_at)
        VALUES ($1, $2, $3, {now}) ON CONFLICT (issuer, subject) DO NOTHING RETURNING user_id
        """
    /// Removes no identity of another user, and no last identity. No row is returned then.
    static let removeIdentityUnlessLast: SQLStatement = """
        DELETE FROM signet_identities WHERE issuer = $1 AND subject = $2 AND user_id = $3
            AND (SELECT count(*) FROM signet_identities WHERE user_id = $3) > 1
        RETURNING user_id
        """
    static let listIdentities: SQLStatement = """
        SELECT issuer, subject, linked_at FROM signet_identities WHERE user_id = $1
        ORDER BY linked_at, issuer, subject LIMIT 1000
        """
    static let insertProfile: SQLStatement = """
        INSERT INTO signet_profiles
            (user_id, display_name, full_name, avatar, username, canonical_name, email,
             email_verified, phone, owns_full_name, owns_avatar, added_at, changed_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, {now}, {now})
        """
    static let updateProfile: SQLStatement = """
        UPDATE signet_profiles SET
            display_name = $2, full_name = $3, avatar = $4, username = $5, canonical_name = $6,
            email = $7, email_verified = $8, phone = $9, owns_full_name = $10, owns_avatar = $11,
            changed_at = {now}
        WHERE user_id = $1
        """
    static let findProfile: SQLStatement = """
        SELECT user_id, display_name, full_name, avatar, username, canonical_name, email,
            email_verified, phone, owns_full_name, owns_avatar, added_at, changed_at,
            (SELECT count(*) FROM signet_identities WHERE user_id = signet_profiles.user_id)
        FROM signet_profiles WHERE user_id = $1
        """
    static let findName: SQLStatement =
        "SELECT user_id FROM signet_profiles WHERE canonical_name = $1"
    static let claimOldIdentifier: SQLStatement = """
        INSERT INTO signet_migrated_users (id, migrated_at) VALUES ($1, {now})
        ON CONFLICT (id) DO NOTHING RETURNING id
        """
}

extension People {
    static let steps = [
        SchemaStep(
            "people.1",
            statements: [
                """
                CREATE TABLE signet_identities (
                    issuer TEXT NOT NULL,
                    subject TEXT NOT NULL,
                    user_id TEXT NOT NULL REFERENCES signet_users (id) ON DELETE CASCADE,
                    linked_at {integer} NOT NULL,
                    PRIMARY KEY (issuer, subject)) {strict}
                """,
                "CREATE INDEX signet_identities_user ON signet_identities (user_id)",
                """
                CREATE TABLE signet_profiles (
                    user_id TEXT NOT NULL PRIMARY KEY
                        REFERENCES signet_users (id) ON DELETE CASCADE,
                    display_name TEXT, full_name TEXT, avatar TEXT,
                    username TEXT, canonical_name TEXT UNIQUE,
                    email TEXT, email_verified {integer} NOT NULL, phone TEXT,
                    owns_full_name {integer} NOT NULL, owns_avatar {integer} NOT NULL,
                    added_at {integer} NOT NULL, changed_at {integer} NOT NULL) {strict}
                """,
                // It refers to no user: an old identifier stays claimed when its user is deleted.
                """
                CREATE TABLE signet_migrated_users (
                    id TEXT NOT NULL PRIMARY KEY, migrated_at {integer} NOT NULL) {strict}
                """,
            ]),
        trunkZeros,
    ]
}
