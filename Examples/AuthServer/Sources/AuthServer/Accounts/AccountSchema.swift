// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import GRDB

/// The tables. A person is (issuer, subject); what belongs to him goes with him.
enum AccountSchema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1: users, profiles, sessions, visits") { db in
            try db.execute(
                sql: """
                    CREATE TABLE users (
                        id TEXT PRIMARY KEY NOT NULL,
                        issuer TEXT NOT NULL,
                        subject TEXT NOT NULL,
                        email TEXT,
                        name TEXT,
                        picture TEXT,
                        created INTEGER NOT NULL,
                        updated INTEGER NOT NULL,
                        UNIQUE (issuer, subject)
                    ) STRICT;
                    CREATE TABLE profiles (
                        user TEXT PRIMARY KEY NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                        first_name TEXT,
                        favorite_teams TEXT NOT NULL DEFAULT '[]'
                    ) STRICT;
                    CREATE TABLE sessions (
                        id TEXT PRIMARY KEY NOT NULL,
                        user TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                        created INTEGER NOT NULL,
                        expires INTEGER NOT NULL
                    ) STRICT;
                    CREATE INDEX sessions_by_user ON sessions (user);
                    CREATE INDEX sessions_by_expiry ON sessions (expires);
                    CREATE TABLE visits (
                        id INTEGER PRIMARY KEY AUTOINCREMENT,
                        user TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                        place TEXT NOT NULL,
                        at INTEGER NOT NULL
                    ) STRICT;
                    CREATE INDEX visits_by_user ON visits (user, id);
                    """)
        }
        return migrator
    }
}
