// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SQLiteBridge
import SignetAccounts
import SignetAccountsTesting
import SignetVault
import TestSupport
import Testing

@Suite("Accounts in SQLite", .serialized, .timeLimit(.minutes(20)))
struct SQLiteAccountsTests {
    private let folder: PrivateFolder
    private let path: String

    init() throws {
        folder = try PrivateFolder()
        path = folder.path + "/accounts"
    }

    @Test(
        "Two connections of one file keep the promise",
        arguments: AccountDatabaseChecks.all)
    func promise(_ check: AccountCheck) async throws {
        let database = try await SQLiteAccounts.open(at: path, busyTimeout: .seconds(600))
        let other = try await SQLiteAccounts.open(at: path, busyTimeout: .seconds(600))
        try await check.run(on: database, beside: other)
        await other.close()
        await database.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["accounts"])
    }

    @Test("A database in memory keeps the promise", arguments: AccountDatabaseChecks.all)
    func promiseInMemory(_ check: AccountCheck) async throws {
        try await check.run(on: try await SQLiteAccounts.inMemory())
    }

    @Test("The check that blocks a thread blocks none of the pool")
    func checksAtOnce() async throws {
        let name = "code after a transaction holds up no other transaction"
        let check = try #require(AccountDatabaseChecks.engine.first { $0.name == name })
        try await withThrowingTaskGroup { group in
            for _ in 0..<ProcessInfo.processInfo.activeProcessorCount * 2 + 2 {
                group.addTask {
                    let database = try await SQLiteAccounts.inMemory()
                    for _ in 0..<100 { try await check.run(on: database) }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("Opening a file that another process has locked keeps no thread of the pool")
    func openedWhileLocked() async throws {
        await (try await SQLiteAccounts.open(at: path)).close()
        let other = try SQLiteConnection(
            path: path, access: .readWrite, busyTimeoutMilliseconds: 60_000)
        try other.execute("PRAGMA locking_mode=EXCLUSIVE")
        try other.execute("CREATE TABLE other (id INTEGER)")
        let path = path
        // Many, because Dispatch adds a thread to its own every second or so.
        let openings = (0..<60).map { _ in
            Task { try await SQLiteAccounts.open(at: path, busyTimeout: .seconds(600)) }
        }
        // If they kept the pool, no one would unlock the file before their time is over.
        try await Task.sleep(for: .milliseconds(50))
        other.close()
        for opening in openings { await (try await opening.value).close() }
    }

    @Test("The file is private to its owner, and reopens with its content")
    func reopened() async throws {
        let database = try await SQLiteAccounts.open(at: path)
        try await database.add("user")
        let modes = try ["", "-wal", "-shm"].map {
            try FileManager.default.attributesOfItem(atPath: path + $0)[.posixPermissions] as? Int
        }
        #expect(modes == [0o600, 0o600, 0o600])
        await database.close()
        await database.close()
        await #expect(throws: AccountError(.unavailable, "")) { try await database.add("late") }
        let again = try await SQLiteAccounts.open(at: path)
        #expect(try await again.run("SELECT id FROM signet_users").count == 1)
    }

    @Test("Any number of processes can create the file at once")
    func madeAtOnce() async throws {
        let path = path
        try await withThrowingTaskGroup { group in
            for number in 0..<8 {
                group.addTask {
                    let database = try await SQLiteAccounts.open(
                        at: path, busyTimeout: .seconds(600))
                    try await database.add("user \(number)")
                }
            }
            try await group.waitForAll()
        }
        let database = try await SQLiteAccounts.open(at: path)
        #expect(try await database.run("SELECT id FROM signet_users").count == 8)
    }

    @Test("A file that is something else is refused, and left unchanged")
    func otherFiles() async throws {
        let contents: [String: Data] = [
            "empty": Data(), "text": Data("no database at all, but long enough".utf8),
            "zeros": Data(count: 8192), "head": Data("SQLite format 3\0".utf8) + Data(count: 4080),
        ]
        for (name, content) in contents {
            let file = folder.path + "/" + name
            try content.write(to: URL(fileURLWithPath: file))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
            await refused(.corrupt, file)
            #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == content)
        }
        let vault = folder.path + "/vault"
        try FileVault.create(at: vault, with: VaultFolder.key(1)).close()
        await refused(.corrupt, vault)
    }

    @Test("An unsafe or missing place is refused")
    func otherPlaces() async throws {
        for wrong in ["accounts", "", ":memory:", "file:" + path, folder.path + "/"] {
            await refused(.invalidParameter, wrong)
        }
        await refused(.unavailable, folder.path + "/none/accounts")
        let database = try await SQLiteAccounts.open(at: path)
        await database.close()
        let link = folder.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        await refused(.unavailable, link)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        await refused(.unavailable, path)
    }

    @Test("A file that was moved or lost its log accepts no more writes")
    func replaced() async throws {
        let database = try await SQLiteAccounts.open(at: path)
        try await database.add("user")
        try FileManager.default.moveItem(atPath: path, toPath: path + ".old")
        await #expect(throws: AccountError(.unavailable, "")) { try await database.add("lost") }
        try FileManager.default.moveItem(atPath: path + ".old", toPath: path)
        try await database.add("another")
        try FileManager.default.removeItem(atPath: path + "-wal")
        await #expect(throws: AccountError(.unavailable, "")) { try await database.add("lost") }
    }

    @Test("While another process writes for too long, writes are unavailable and reads continue")
    func busy() async throws {
        let database = try await SQLiteAccounts.open(at: path, busyTimeout: .zero)
        try await database.add("user")
        let other = try SQLiteConnection(
            path: path, access: .readWrite, busyTimeoutMilliseconds: 600_000)
        try other.execute("BEGIN IMMEDIATE")
        await #expect(throws: AccountError(.unavailable, "")) { try await database.add("late") }
        let rows = try await database.read { (transaction) throws(AccountError) in
            try await transaction.run("SELECT id FROM signet_users", values: [])
        }
        #expect(rows.count == 1)
        try other.execute("ROLLBACK")
        try await database.add("in time")
        other.close()
    }

    @Test("A transaction inside of another one is refused, and keeps no one waiting")
    func nested() async throws {
        let file = try await SQLiteAccounts.open(at: path)
        for database in [file, try await SQLiteAccounts.inMemory()] {
            let nothing: @Sendable (any AccountTransaction) async throws(AccountError) -> Void = {
                (_) throws(AccountError) in
            }
            @Sendable func expectRefused() async {
                let refusal = AccountError(.invalidParameter, "")
                await #expect(throws: refusal) { try await database.transaction(nothing) }
                await #expect(throws: refusal) { try await database.read(nothing) }
            }
            try await database.transaction { (transaction) throws(AccountError) -> Void in
                await expectRefused()
                try await transaction.run("SELECT 1", values: [])
            }
            try await database.read { (_) throws(AccountError) -> Void in await expectRefused() }
            // Others go on, and so does the same task afterwards.
            try await database.transaction(nothing)
            try await database.read(nothing)
        }
        await file.close()
    }

    @Test("A write inside a read is undone")
    func readingWritesNothing() async throws {
        let file = try await SQLiteAccounts.open(at: path)
        for database in [file, try await SQLiteAccounts.inMemory()] {
            try await database.read { (transaction) throws(AccountError) -> Void in
                try await AccountUsers.add("user", in: transaction)
            }
            #expect(try await database.run("SELECT id FROM signet_users").isEmpty)
        }
    }

    @Test("While transactions wait for another process, the thread pool stays free")
    func poolGoesOn() async throws {
        let database = try await SQLiteAccounts.open(at: path, busyTimeout: .seconds(600))
        let other = try SQLiteConnection(
            path: path, access: .readWrite, busyTimeoutMilliseconds: 600_000)
        try other.execute("BEGIN IMMEDIATE")
        let waiting = (0..<64).map { number in
            Task { try await database.add("user \(number)") }
        }
        // Ends only if other tasks get a turn.
        for _ in 0..<200 {
            await withTaskGroup { group in
                for _ in 0..<8 { group.addTask { await Task.yield() } }
            }
        }
        waiting[7].cancel()
        try other.execute("ROLLBACK")
        other.close()
        for (number, task) in waiting.enumerated() {
            if number == 7 {
                _ = await task.result
            } else {
                try await task.value
            }
        }
        #expect(try await database.run("SELECT id FROM signet_users").count >= 63)
    }

    @Test("A failed schema step changes nothing, and a newer schema is refused")
    func steps() async throws {
        let database = try await SQLiteAccounts.inMemory()
        let first = SchemaStep(
            "test.1", statements: ["CREATE TABLE test_one (a {integer}) {strict}"])
        let bad = SchemaStep(
            "test.2",
            statements: ["CREATE TABLE test_two (a {integer}) {strict}", "CREATE NONSENSE"])
        let mended = SchemaStep(
            "test.2", statements: ["CREATE TABLE test_two (a {integer}) {strict}"])
        await #expect(throws: AccountError(.corrupt, "")) {
            try await AccountSchema.carryOut(AccountSchema.steps + [first, bad], in: database)
        }
        try await database.run("SELECT a FROM test_one")
        try await AccountSchema.carryOut(AccountSchema.steps + [first, mended], in: database)
        try await database.run("SELECT a FROM test_two")
        // This version does not know what the later one did.
        await #expect(throws: AccountError(.corrupt, "")) {
            try await AccountSchema.migrate(database)
        }
        try await AccountSchema.carryOut(AccountSchema.steps + [first, mended], in: database)
    }

    @Test("An application's tables live next to Signet's, under their own names")
    func ownSteps() async throws {
        let database = try await SQLiteAccounts.inMemory()
        let table: SQLStatement = """
            CREATE TABLE app_notes (
                user_id TEXT NOT NULL REFERENCES signet_users (id) ON DELETE CASCADE) {strict}
            """
        let first = SchemaStep("app/notes.1", statements: [table])
        for _ in 0..<2 { try await AccountSchema.migrate(database, steps: [first]) }
        let second = SchemaStep(
            "app/notes.2", statements: ["ALTER TABLE app_notes ADD COLUMN a TEXT"])
        try await AccountSchema.migrate(database, steps: [first, second])
        try await database.run("SELECT a FROM app_notes")
        // Neither concerns the other.
        try await AccountSchema.migrate(database)
        await #expect(throws: AccountError(.corrupt, "")) {
            try await AccountSchema.migrate(database, steps: [first])
        }
        let other = SchemaStep(
            "other/a.1", statements: ["CREATE TABLE other (a {integer}) {strict}"])
        for steps in [
            [], [SchemaStep("users.1", statements: [table])],
            [SchemaStep("/a.1", statements: [table])], [first, other],
            [SchemaStep("", statements: [table])],
        ] {
            await #expect(throws: AccountError(.invalidParameter, "")) {
                try await AccountSchema.migrate(database, steps: steps)
            }
        }
        try await AccountSchema.migrate(database, steps: [other])
    }

    @Test("A full disk undoes the transaction, and later writes succeed once there is room")
    func fullDisk() async {
        await #expect(processExitsWith: .success) {
            let folder = try PrivateFolder()
            let database = try await SQLiteAccounts.open(at: folder.path + "/accounts")
            let tokens = try RefreshTokens(database: database, issuer: SessionFixture.issuer())
            try await database.add("user")
            _ = signal(SIGXFSZ, SIG_IGN)
            // Room for some sessions beyond what the tables have taken.
            let log = folder.path + "/accounts-wal"
            let facts = try FileManager.default.attributesOfItem(atPath: log)
            let taken = try #require(facts[.size] as? UInt64)
            var limit = rlimit(rlim_cur: rlim_t(taken) + 200_000, rlim_max: rlim_t.max)
            #expect(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
            var kept: [String] = []
            let failure = await #expect(throws: AccountError.self) {
                while kept.count < 5000 {
                    kept.append(try await tokens.begin(for: "user").refreshToken)
                }
            }
            #expect(failure?.code == .unavailable && kept.count > 3)
            limit.rlim_cur = rlim_t.max
            #expect(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
            #expect(try await database.run("SELECT id FROM signet_sessions").count == kept.count)
            for token in kept { _ = try await tokens.rotate(token) }
        }
    }

    private func refused(_ code: AccountError.Code, _ path: String) async {
        await #expect(throws: AccountError(code, "")) { try await SQLiteAccounts.open(at: path) }
    }
}
