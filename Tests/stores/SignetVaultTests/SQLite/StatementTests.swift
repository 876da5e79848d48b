// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SQLiteBridge
import TestSupport
import Testing

@Suite("SQLiteStatement")
struct StatementTests {
    let folder: DatabaseFolder

    init() throws { folder = try DatabaseFolder() }

    private func kind(_ body: () throws -> Void) -> SQLiteFailure.Kind? {
        (#expect(throws: SQLiteFailure.self) { try body() })?.kind
    }

    @Test("A statement keeps its connection alive")
    func outlivesConnection() throws {
        weak var connection: SQLiteConnection?
        do {
            let statement: SQLiteStatement
            do {
                let made = try folder.make()
                connection = made
                statement = try made.prepare("SELECT 7")
            }
            #expect(connection != nil)
            #expect(try statement.step())
            #expect(statement.integer(0) == 7)
        }
        #expect(connection == nil)
    }

    @Test("After close() every call fails, the file is free, and nothing is finalised twice")
    func closing() throws {
        let connection = try folder.make()
        let idle = try connection.prepare("INSERT INTO t(k,b) VALUES(?1,?2)")
        let running = try connection.prepare("SELECT 1 UNION ALL SELECT 2")
        #expect(try running.step())
        try connection.execute("BEGIN IMMEDIATE")
        #expect(connection.isOpen && connection.isInTransaction)
        connection.close()
        connection.close()
        #expect(!connection.isOpen && !connection.isInTransaction)

        #expect(kind { _ = try running.step() } == .misuse)
        #expect(kind { try running.reset() } == .misuse)
        #expect(kind { try idle.bind(1, at: 1) } == .misuse)
        #expect(kind { try idle.bind([1], at: 2) } == .misuse)
        #expect(kind { try idle.run() } == .misuse)
        #expect(running.integer(0) == nil && running.blob(0) == nil && running.text(0) == nil)
        #expect(kind { try connection.execute("SELECT 1") } == .misuse)
        #expect(kind { _ = try connection.prepare("SELECT 1") } == .misuse)
        #expect(kind { _ = try connection.checkpoint(.truncating) } == .misuse)
        #expect(kind { _ = try connection.integer(ofPragma: "page_count") } == .misuse)

        // The transaction's lock went with it.
        try folder.open(timeout: 0).execute("BEGIN IMMEDIATE")
    }

    @Test(
        "While a row is in use its statement cannot advance, nor the connection close"
    )
    func rowAccess() throws {
        let connection = try folder.make()
        let statement = try connection.prepare("SELECT x'010203' UNION ALL SELECT x'04'")
        #expect(try statement.step())
        let sum = try statement.withBlob(0) { (bytes) throws -> Int in
            #expect(kind { _ = try statement.step() } == .misuse)
            #expect(kind { try statement.reset() } == .misuse)
            let inner = statement.withBlob(0) { $0.count }
            #expect(inner == 3)
            connection.close()
            #expect(connection.isOpen)
            return bytes.indices.reduce(0) { $0 + Int(bytes[$1]) }
        }
        #expect(sum == 6)
        #expect(!connection.isOpen)
    }

    @Test("An error from withBlob's body is rethrown, and the row is returned")
    func throwingBody() throws {
        struct Refusal: Error {}
        let statement = try folder.make().prepare("SELECT x'01' UNION ALL SELECT x'02'")
        #expect(try statement.step())
        #expect(throws: Refusal.self) {
            try statement.withBlob(0) { _ throws(Refusal) in throw Refusal() }
        }
        #expect(try statement.step())
        #expect(statement.blob(0) == [2])
    }

    @Test("A finished statement stays finished until it is reset")
    func done() throws {
        let connection = try folder.make()
        let insert = try connection.prepare("INSERT INTO t(b) VALUES(1)")
        for _ in 0..<3 { #expect(try !insert.step()) }
        #expect(try connection.integer("SELECT count(*) FROM t") == 1)
        #expect(kind { try insert.bind(1, at: 1) } == .misuse)
        try insert.reset()
        #expect(try !insert.step())
        #expect(try connection.integer("SELECT count(*) FROM t") == 2)
    }

    @Test("After an error a statement holds no lock and can run again")
    func afterError() throws {
        let connection = try folder.make()
        try connection.execute("INSERT INTO t VALUES(1,1)")
        let insert = try connection.prepare("INSERT INTO t(k,b) VALUES(?1,2)")
        try insert.bind(1, at: 1)
        let failure = #expect(throws: SQLiteFailure.self) { try insert.step() }
        #expect(
            failure?.kind == .constraint && failure?.code == 19 && failure?.extendedCode == 1555)
        #expect(!connection.isInTransaction)
        try insert.bind(2, at: 1)
        try insert.run()
        #expect(try connection.integer("SELECT count(*) FROM t") == 2)
        try folder.open(timeout: 0).execute("INSERT INTO t VALUES(3,3)")
    }

    @Test(
        "Bad parameters and bad SQL are typed errors", arguments: [0, -1, 3, 40, .max] as [Int32])
    func badParameters(index: Int32) throws {
        let statement = try folder.make().prepare("SELECT ?1,?2")
        #expect(kind { try statement.bind(1, at: index) } == .misuse)
        #expect(kind { try statement.bind([1], at: index) } == .misuse)
    }

    @Test(
        "SQL that is not one statement is refused",
        arguments: [
            ("", .misuse), ("-- nothing", .misuse), (";", .misuse), ("SELECT 1; SELECT 2", .misuse),
            ("SELECT 1\u{0}", .misuse), ("SELECT", .other), ("SELECT * FROM absent", .other),
            ("SELECT \"t\"", .other), ("ATTACH '/tmp/x' AS x", .other),
            ("SELECT load_extension('x')", .other),
            ("SELECT " + String(repeating: "1+", count: 50) + "1", .other),
            ("SELECT '" + String(repeating: "a", count: 20_000) + "'", .tooBig),
        ] as [(String, SQLiteFailure.Kind)])
    func badSQL(sql: String, kind expected: SQLiteFailure.Kind) throws {
        let connection = try folder.make()
        let failure = #expect(throws: SQLiteFailure.self) { _ = try connection.prepare(sql).step() }
        #expect(failure?.kind == expected)
    }

    @Test("Statements may end on any thread while the connection is in use")
    func endingElsewhere() throws {
        let connection = try folder.make()
        let failures = failuresOnThreads(rounds: 200, threads: 4) { _, _ in
            var statement: SQLiteStatement? = try connection.prepare("SELECT 1")
            withExtendedLifetime(statement) {}
            statement = nil
            return true
        }
        #expect(failures == 0)
        #expect(try connection.integer("SELECT 1") == 1)
    }
}
