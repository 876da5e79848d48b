// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Hummingbird
internal import SignetAccounts
internal import SignetHummingbird
internal import SignetJOSE

/// The application's own data beside that of SignetAccounts, in the SQL that SQLite and PostgreSQL
/// share: visits and favourite teams. They refer to the user, and go with it.
extension Services {
    func addVisits(to members: RouterGroup<Member>) {
        members.get("api/visits") { _, context -> Response in
            let rows = try await run(Self.latest, values: [.text(context.signedIn.subject)])
            return try Response(json: ["visits": rows.map(Visit.init)])
        }
        members.post("api/visits") { request, context -> Response in
            let place = try await request.strictJSON(Body.self).place
            guard (1...200).contains(place.utf8.count), !place.utf8.contains(0) else {
                throw JSONError(code: .typeMismatch, path: "place")
            }
            let id = String(UInt64.random(in: .min ... .max), radix: 36)
            let values: [SQLValue] = [.text(id), .text(context.signedIn.subject), .text(place)]
            // One person cannot fill the disk. Existing visits stay.
            guard let row = try await run(Self.add, values: values).first else {
                _ = try await user(context.signedIn.subject)
                throw HTTPError(.conflict)
            }
            return try Response(json: Visit(row), status: .created)
        }
    }

    func teams(of user: String) async throws -> [JSONValue] {
        let rows = try await run(Self.teams, values: [.text(user)])
        return try rows.first?.text(0).split(separator: "\n").map { .string(String($0)) } ?? []
    }

    func keep(
        _ teams: [String], of user: String, in transaction: any AccountTransaction
    ) async throws(AccountError) {
        let names = teams.prefix(50).map { $0.prefix(100).filter { $0 != "\0" } }
            .joined(separator: "\n")
        try await transaction.run(Self.keepTeams, values: [.text(user), .text(names)])
    }

    private func run(_ statement: SQLStatement, values: [SQLValue]) async throws -> [SQLRow] {
        try await database.transaction { (transaction) throws(AccountError) in
            try await transaction.run(statement, values: values)
        }
    }

    static let tables = SchemaStep(
        "app/tables.1",
        statements: [
            """
            CREATE TABLE IF NOT EXISTS app_teams (
                user_id TEXT NOT NULL PRIMARY KEY REFERENCES signet_users (id) ON DELETE CASCADE,
                names TEXT NOT NULL) {strict}
            """,
            """
            CREATE TABLE IF NOT EXISTS app_visits (
                user_id TEXT NOT NULL REFERENCES signet_users (id) ON DELETE CASCADE,
                id TEXT NOT NULL PRIMARY KEY, place TEXT NOT NULL, at {integer} NOT NULL) {strict}
            """, "CREATE INDEX IF NOT EXISTS app_visits_user ON app_visits (user_id, at)",
        ])
    private static let teams: SQLStatement = "SELECT names FROM app_teams WHERE user_id = $1"
    private static let keepTeams: SQLStatement = """
        INSERT INTO app_teams (user_id, names) SELECT id, $2 FROM signet_users WHERE id = $1
        ON CONFLICT (user_id) DO UPDATE SET names = $2
        """
    private static let latest: SQLStatement =
        "SELECT id, place, at FROM app_visits WHERE user_id = $1 ORDER BY at DESC, id LIMIT 100"
    private static let add: SQLStatement = """
        INSERT INTO app_visits (id, user_id, place, at) SELECT $1, id, $3, {now} FROM signet_users
        WHERE id = $2 AND (SELECT count(*) FROM app_visits WHERE user_id = $2) < 1000
        RETURNING id, place, at
        """
}

private struct Body: Decodable { let place: String }

private struct Visit: Encodable {
    let id, place: String
    /// Milliseconds since 1970.
    let at: Int64

    init(_ row: SQLRow) throws(AccountError) {
        id = try row.text(0)
        place = try row.text(1)
        at = try row.integer(2)
    }
}
