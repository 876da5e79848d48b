// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AccountServers
import SignetAccounts
import SignetBase
import SignetGoTrue
import SignetIdentity
import SignetJOSE
import TestSupport
import Testing

/// A service with all hooks, each of which does what the test says.
struct HookScene {
    enum Hook: String, CaseIterable, Sendable {
        case beforePassword, beforeSession, claims, beforeChange, atSignUp
    }

    /// What a hook does.
    enum Conduct: Sendable {
        case allows, refuses, fails, isLate
    }

    private struct Failure: Error {}

    /// What the hooks share with the test.
    final class Script: Sendable {
        private struct State {
            var conducts: [Hook: Conduct] = [:]
            var asked: [Hook] = []
        }

        private let state = Locked(State())
        private let clock: ManualClock
        let added = Locked<[String: JSONValue]>(["plan": "free"])
        let sessions = Locked([GoTrueHooks.Session]())
        let changes = Locked([AccountChange]())

        init(_ clock: ManualClock) { self.clock = clock }

        func set(_ hook: Hook, to conduct: Conduct) {
            state.withLock { $0.conducts[hook] = conduct }
        }

        /// The hooks that were asked since this was called last.
        func taken() -> [Hook] {
            state.withLock { state in
                defer { state.asked = [] }
                return state.asked
            }
        }

        func act(as hook: Hook) async throws {
            let conduct = state.withLock { state in
                state.asked.append(hook)
                return state.conducts[hook] ?? .allows
            }
            switch conduct {
            case .allows: return
            case .refuses:
                throw GoTrueHooks.Refusal("Not this one.", code: "user_banned", reasons: ["pwned"])
            case .fails: throw Failure()
            case .isLate:
                // Until its own limit has passed, whether its timer runs yet or not.
                while !Task.isCancelled {
                    clock.advance(by: .seconds(5))
                    await Task.yield()
                }
            }
        }
    }

    let scene: Scene
    let script: Script
    /// Keeps a stopped database's file.
    private let stoppedClock: ClockedAccounts?

    /// - Parameter engine: SQLite has a clock that stands still, for the codes of apps.
    /// - Returns: nil where there is no PostgreSQL.
    init?(_ engine: Engine) async throws {
        switch engine {
        case .sqlite:
            let stopped = try await ClockedAccounts()
            stoppedClock = stopped
            (scene, script) = try await Self.scene(on: stopped.database)
        case .postgres:
            guard let place = try engine.place(in: PrivateFolder()) else { return nil }
            stoppedClock = nil
            (scene, script) = try await Self.scene(on: place.open())
        }
    }

    private static func scene(on database: any AccountDatabase) async throws -> (Scene, Script) {
        let clock = ManualClock()
        let script = Script(clock)
        try await database.transaction { (transaction) throws(AccountError) -> Void in
            try await transaction.run("CREATE TABLE profiles (user_id TEXT NOT NULL)", values: [])
        }
        let scene = try await Scene(database) { options in
            options.linkPage = Scene.redirect
            options.hooks.clock = clock.source
            options.hooks.beforePassword = { new in
                #expect(new.password.withExposedBytes { $0.count } > 8)
                #expect(!"\(new)".contains("@"))
                try await script.act(as: .beforePassword)
            }
            options.hooks.beforeSession = { session in
                script.sessions.withLock { $0.append(session) }
                try await script.act(as: .beforeSession)
            }
            options.hooks.claims = { _ in
                try await script.act(as: .claims)
                return script.added.withLock { $0 }
            }
            options.hooks.beforeChange = { change in
                script.changes.withLock { $0.append(change.kind) }
                try await script.act(as: .beforeChange)
            }
            options.hooks.atSignUp = { user, transaction in
                let values = [SQLValue.text(user.userID)]
                try await transaction.run("INSERT INTO profiles VALUES ($1)", values: values)
                try await script.act(as: .atSignUp)
                // If it was late, the transaction is over.
                try await transaction.run("SELECT user_id FROM profiles", values: [])
            }
        }
        return (scene, script)
    }

    /// To be called last.
    func close() async { await stoppedClock?.close() }

    /// The rows of all tables but those that count requests.
    func rows(without left: String = "") async throws -> [String] {
        try await scene.database.transaction { (transaction) throws(AccountError) in
            var all: [String] = []
            for statement in Self.tables where !statement.source.description.hasSuffix(" " + left) {
                let rows = try await transaction.run(statement, values: [])
                all += rows.map { "\(statement.source): \($0.values)" }.sorted()
            }
            return all
        }
    }

    private static let tables: [SQLStatement] = [
        "SELECT * FROM profiles", "SELECT * FROM signet_codes",
        "SELECT * FROM signet_gotrue_address_changes", "SELECT * FROM signet_gotrue_answers",
        "SELECT * FROM signet_gotrue_challenges", "SELECT * FROM signet_gotrue_flows",
        "SELECT * FROM signet_gotrue_identities", "SELECT * FROM signet_gotrue_passwords",
        "SELECT * FROM signet_gotrue_pending", "SELECT * FROM signet_gotrue_sessions",
        "SELECT * FROM signet_gotrue_users", "SELECT * FROM signet_identities",
        "SELECT * FROM signet_known_clients", "SELECT * FROM signet_outbox",
        "SELECT * FROM signet_profiles", "SELECT * FROM signet_second_factors",
        "SELECT * FROM signet_sessions", "SELECT * FROM signet_used_refresh_tokens",
        "SELECT * FROM signet_users",
    ]

    func claims(_ answer: Scene.Answer) throws -> JSONValue {
        try scene.service.sessions.issuer.verify(answer.accessToken).claims(as: JSONValue.self)
    }
}
