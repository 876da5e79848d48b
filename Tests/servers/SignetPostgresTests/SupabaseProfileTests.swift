// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AccountServers
import Foundation
import PostgresBridge
import TestPrograms
import Testing

/// `Documentation/supabase-profiles.sql`, against tables of a Supabase project's columns.
@Suite("Profiles of a Supabase project", .needsPostgreSQL, .serialized)
struct SupabaseProfileTests {
    /// A database of its own. The role that writes users may not write profiles, as at Supabase.
    private struct Project {
        let server: PostgresServer
        let name: String

        init() throws {
            server = try PostgresServer.shared()
            name = "project_\(UInt64.random(in: .min ... .max))"
            try server.admin(
                """
                DO $$ BEGIN CREATE ROLE auth_admin; EXCEPTION WHEN duplicate_object THEN NULL;
                END $$
                """, "CREATE DATABASE \(name)")
            try run(
                "CREATE SCHEMA auth",
                """
                CREATE TABLE auth.users (id uuid PRIMARY KEY, phone text,
                    raw_user_meta_data jsonb, created_at timestamptz, updated_at timestamptz)
                """,
                """
                CREATE TABLE public.profiles (
                    id uuid PRIMARY KEY REFERENCES auth.users (id) ON DELETE CASCADE,
                    display_name text NOT NULL, phone text, created_at timestamptz NOT NULL,
                    updated_at timestamptz NOT NULL)
                """,
                "ALTER TABLE public.profiles ENABLE ROW LEVEL SECURITY",
                "GRANT USAGE ON SCHEMA auth TO auth_admin",
                "GRANT ALL ON auth.users TO auth_admin")
        }

        @discardableResult
        func run(_ statements: String...) throws -> [[PGValue]] {
            var rows: [[PGValue]] = []
            for statement in statements { rows = try server.admin(statement, database: name) }
            return rows
        }

        /// The file, as its page says: psql, which stops at the first error.
        func runFile() throws {
            let file =
                FileManager.default.currentDirectoryPath
                + "/Documentation/supabase-profiles.sql"
            let outcome = try ChildProgram.run(
                "/usr/bin/env",
                [
                    "psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-h", server.folder, "-p",
                    "\(server.port)", "-U", "admin", "-d", name, "-f", file,
                ], input: [])
            #expect(outcome.status == 0, "\(outcome.complaint)")
        }

        /// Signs up as GoTrue's role, with the user's columns as SQL.
        func signUp(
            _ number: Int, metadata: String, phone: String = "'14155551234'",
            dates: String = "'2026-08-20T12:34:56Z', '2026-08-21T00:00:00Z'"
        ) throws {
            try run(
                """
                WITH changed AS (SELECT set_config('role', 'auth_admin', true))
                INSERT INTO auth.users SELECT '\(Self.id(number))', \(phone), \(metadata), \(dates)
                FROM changed
                """)
        }

        static func id(_ number: Int) -> String { "00000000-0000-4000-8000-00000000000\(number)" }

        /// A profile's columns in one text, nil where there is none.
        func profile(_ number: Int) throws -> String? {
            let rows = try run(
                """
                SELECT concat_ws('|', display_name, coalesce(phone, 'none'),
                    to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS'),
                    to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS'))
                FROM public.profiles WHERE id = '\(Self.id(number))'
                """)
            guard case .text(let text)? = rows.first?.first else { return nil }
            return text
        }
    }

    private static let rest = "|14155551234|2026-08-20 12:34:56|2026-08-21 00:00:00"

    /// M7. As its last statement says, the file may run again.
    @Test("A new user gets a profile with the name, the phone and both dates")
    func firstValues() throws {
        let project = try Project()
        try project.runFile()
        try project.runFile()
        try project.signUp(1, metadata: #"'{"display_name":"Ann"}'::jsonb"#)
        #expect(try project.profile(1) == "Ann" + Self.rest)
        try project.signUp(2, metadata: #"'{"display_name":"Bob"}'::jsonb"#, phone: "NULL")
        #expect(try project.profile(2)?.hasPrefix("Bob|none|") == true)
        try project.signUp(3, metadata: "NULL", phone: "''")
        #expect(try project.profile(3)?.hasPrefix("Me|none|") == true)
        // The profile goes with the user.
        try project.run("DELETE FROM auth.users WHERE id = '\(Project.id(1))'")
        #expect(try project.profile(1) == nil)
    }

    @Test(
        "Metadata without a name for showing give the name Me, and stop no sign-up",
        arguments: [
            "NULL", "'{}'", "'null'", "'[]'", "'7'", #"'"Ann"'"#, #"'[{"display_name":"Ann"}]'"#,
            #"'{"display_name":null}'"#, #"'{"display_name":""}'"#,
            #"'{"display_name":" \t\r\n "}'"#, #"'{"display_name":7}'"#,
            #"'{"display_name":true}'"#, #"'{"display_name":{"a":"Ann"}}'"#,
            #"'{"display_name":["Ann"]}'"#, #"'{"Display_Name":"Ann"}'"#,
        ])
    func noName(_ metadata: String) throws {
        let project = try Project()
        try project.runFile()
        try project.signUp(1, metadata: "\(metadata)::jsonb")
        #expect(try project.profile(1) == "Me" + Self.rest)
    }

    @Test("A name is trimmed, cut to 100 characters, and never run as SQL")
    func strangeNames() throws {
        let project = try Project()
        try project.runFile()
        try project.signUp(1, metadata: #"'{"display_name":"  Ann B. \n"}'::jsonb"#)
        #expect(try project.profile(1) == "Ann B." + Self.rest)
        try project.signUp(
            2, metadata: "jsonb_build_object('display_name', repeat('é', 1000000))")
        #expect(try project.profile(2) == String(repeating: "é", count: 100) + Self.rest)
        let name = "''); DROP TABLE public.profiles; --"
        try project.signUp(3, metadata: "jsonb_build_object('display_name', '\(name)')")
        #expect(
            try project.profile(3)
                == "'); DROP TABLE public.profiles; --" + Self.rest)
    }

    @Test("Dates that are absent, and a profile that is there, stop no sign-up")
    func neverFails() throws {
        let project = try Project()
        try project.runFile()
        try project.signUp(1, metadata: "NULL", dates: "NULL::timestamptz, NULL::timestamptz")
        #expect(try project.profile(1)?.hasPrefix("Me|14155551234|20") == true)
        // Without the reference to users, a profile may have come first.
        try project.run(
            "ALTER TABLE public.profiles DROP CONSTRAINT profiles_id_fkey",
            """
            INSERT INTO public.profiles VALUES ('\(Project.id(2))', 'First', NULL,
                '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z')
            """)
        try project.signUp(2, metadata: #"'{"display_name":"Second"}'::jsonb"#)
        #expect(try project.profile(2)?.hasPrefix("First|") == true)
        let users = try project.run("SELECT 1::bigint FROM auth.users")
        #expect(users.count == 2)
    }

    /// It runs as its owner, so no other table or function may stand in for what it names.
    @Test("The trigger's function is closed to other schemas and other tables")
    func isClosed() throws {
        let project = try Project()
        try project.runFile()
        let rows = try project.run(
            """
            SELECT (p.prosecdef AND p.proconfig = ARRAY['search_path=""']
                AND NOT has_function_privilege('auth_admin', p.oid, 'EXECUTE'))::int
            FROM pg_proc p WHERE p.oid = 'public.handle_new_user'::regproc
            """)
        guard case .integer(1)? = rows.first?.first else {
            Issue.record("it is no closed function: \(rows)")
            return
        }
        try project.run(
            "CREATE TABLE public.users (LIKE auth.users)",
            """
            CREATE TRIGGER mine AFTER INSERT ON public.users FOR EACH ROW
                EXECUTE FUNCTION public.handle_new_user()
            """,
            "INSERT INTO public.users (id) VALUES ('\(Project.id(3))')")
        #expect(try project.profile(3) == nil)
    }
}
