// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SQLiteBridge
import TestSupport
import Testing

@Suite("Connections wait for each other")
struct WaitingTests {
    let folder: DatabaseFolder

    init() throws { folder = try DatabaseFolder() }

    @Test(
        "A writer waits for its timeout, then reports busy", arguments: [0, 1, 150])
    func limit(milliseconds: Int) throws {
        let one = try folder.make()
        let two = try folder.open(timeout: milliseconds)
        try one.execute("BEGIN IMMEDIATE")
        let start = ContinuousClock.now
        let failure = #expect(throws: SQLiteFailure.self) { try two.execute("BEGIN IMMEDIATE") }
        let waited = ContinuousClock.now - start
        #expect(failure?.kind == .busy)
        #expect(waited >= .milliseconds(milliseconds))
        // Readers do not wait.
        #expect(try two.integer("SELECT count(*) FROM t") == 0)
        try one.execute("COMMIT")
        try two.execute("BEGIN IMMEDIATE")
    }

    @Test("A transaction with an older snapshot cannot write, and reports busy at once")
    func staleSnapshot() throws {
        let one = try folder.make()
        let two = try folder.open(timeout: 600_000)
        try two.execute("BEGIN")
        #expect(try two.integer("SELECT count(*) FROM t") == 0)
        try one.execute("INSERT INTO t VALUES(1,1)")
        let failure = #expect(throws: SQLiteFailure.self) {
            try two.execute("INSERT INTO t VALUES(2,2)")
        }
        #expect(failure?.kind == .busy && failure?.extendedCode == 517)
    }

    @Test("Eight connections write at once and nothing is lost")
    func manyWriters() throws {
        let main = try folder.make()
        try main.execute("INSERT INTO t VALUES(0,0)")
        let folder = folder
        let failures = failuresOnThreads(rounds: 5) { _, _ in
            let connection = try folder.open(timeout: 600_000)
            for _ in 0..<5 {
                try connection.execute("BEGIN IMMEDIATE; UPDATE t SET b=b+1 WHERE k=0; COMMIT")
            }
            return true
        }
        #expect(failures == 0)
        #expect(try main.integer("SELECT b FROM t") == 200)
    }
}
