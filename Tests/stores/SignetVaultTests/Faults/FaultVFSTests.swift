// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SQLiteBridge
import TestSupport
import Testing

/// What the failing disk is worth: bare SQLite survives it where SQLite promises to, and fails
/// where nothing could survive.
@Suite("The simulated failing disk")
struct FaultVFSTests {
    /// How many operations the whole work takes without a failure.
    private func operationCount(_ operations: FaultWorld.Operations, journalMode: String) throws
        -> Int
    {
        let database = try PlainDatabase(journalMode: journalMode)
        let world = try FaultWorld()
        #expect(database.work(vfs: world.name) == nil)
        #expect(world.faultCount == 0)
        #expect(try database.state() == 3)
        return world.count(operations)
    }

    @Test(
        "It counts operations and does nothing else",
        arguments: ["wal", "delete", "truncate", "persist"])
    func counting(journalMode: String) throws {
        for operations in [.write, .sync] as [FaultWorld.Operations] {
            #expect(try operationCount(operations, journalMode: journalMode) > 5, "\(operations)")
        }
        #expect(try operationCount(.create, journalMode: journalMode) > 0)
        #expect(try operationCount(.read, journalMode: journalMode) > 0)
        if journalMode == "delete" {
            #expect(try operationCount(.delete, journalMode: journalMode) > 2)
        }
        if journalMode == "wal" {
            #expect(try operationCount(.truncate, journalMode: journalMode) > 0)
        }
    }

    @Test(
        "After any failed operation, once or for good, the state is the old or the new one",
        .tags(.faultPoints, .sampled), arguments: [.fail, .full, .short] as [FaultWorld.Fault],
        [false, true])
    func failures(fault: FaultWorld.Fault, forGood: Bool) throws {
        for journalMode in ["wal", "delete"] {
            let count = try operationCount(.any, journalMode: journalMode)
            for n in Effort.cases(Array(1...count), oneOf: 16) {
                let database = try PlainDatabase(journalMode: journalMode)
                let world = try FaultWorld()
                world.arm(fault, at: n, forGood: forGood)
                let failure = database.work(vfs: world.name)
                #expect(world.faultCount > 0, "\(n)")
                let state = try database.state()
                let acknowledged = database.acknowledged
                #expect(
                    state == acknowledged || (failure != nil && state == acknowledged + 1),
                    "\(journalMode) \(n): \(world.lastFault): \(String(describing: state)) after \(acknowledged)"
                )
            }
        }
    }

    @Test("A failed operation is reported with its kind")
    func kinds() throws {
        for (operations, fault, kind) in [
            (.write, .fail, .io), (.write, .full, .full), (.write, .short, .full),
            (.sync, .fail, .io),
            (.create, .fail, .cannotOpen), (.read, .fail, .io),
        ] as [(FaultWorld.Operations, FaultWorld.Fault, SQLiteFailure.Kind)] {
            let database = try PlainDatabase(journalMode: "wal")
            let world = try FaultWorld()
            world.arm(fault, at: 1, of: operations, forGood: true)
            #expect(database.work(vfs: world.name)?.kind == kind, "\(operations) \(fault)")
            #expect(world.lastFault.hasPrefix(operations.description))
        }
    }

    @Test(
        "After a power cut during any operation nothing acknowledged is lost",
        .tags(.faultPoints, .sampled), arguments: FaultWorld.Cut.allCases,
        [1, 2, 3] as [UInt64])
    func powerCuts(cut: FaultWorld.Cut, seed: UInt64) throws {
        let count = try operationCount(.any, journalMode: "wal")
        var lostBytes = 0
        for n in Effort.cases(Array(1...count), oneOf: 16) {
            let database = try PlainDatabase(journalMode: "wal")
            let world = try FaultWorld()
            world.armCut(cut, at: n, seed: seed &* 1000 &+ UInt64(n))
            let failure = database.work(vfs: world.name)
            #expect(world.isOff && world.faultCount == 1, "\(n)")
            lostBytes += world.lostBytes
            let state = try database.state()
            let acknowledged = database.acknowledged
            #expect(
                state == acknowledged || (failure != nil && state == acknowledged + 1),
                "\(n): \(world.lastFault): \(String(describing: state)) after \(acknowledged)")
        }
        if Effort.isFull { #expect((lostBytes > 0) == (cut != .keepAll)) }
    }

    /// Without a WAL, a commit is the deletion of a journal, which `synchronous=FULL` does not sync: the last one may be undone.
    @Test(
        "With a rollback journal a power cut undoes at most the last commit",
        .tags(.faultPoints, .sampled), arguments: ["delete", "truncate", "persist"],
        FaultWorld.Cut.allCases)
    func powerCutsWithJournal(journalMode: String, cut: FaultWorld.Cut) throws {
        let count = try operationCount(.any, journalMode: journalMode)
        var undone = 0
        for n in Effort.cases(Array(1...count), oneOf: 16) {
            let database = try PlainDatabase(journalMode: journalMode)
            let world = try FaultWorld()
            world.armCut(cut, at: n, seed: UInt64(n))
            _ = database.work(vfs: world.name)
            let state = try database.state()
            let acknowledged = database.acknowledged
            #expect(
                state.map { abs($0 - acknowledged) <= 1 } == true,
                "\(n): \(world.lastFault): \(String(describing: state)) after \(acknowledged)")
            if let state, state < acknowledged { undone += 1 }
        }
        if Effort.isFull, journalMode == "delete", cut == .loseAll { #expect(undone > 0) }
    }

    @Test(
        "A power cut between two transactions loses nothing",
        arguments: FaultWorld.Cut.allCases)
    func quietPowerCut(cut: FaultWorld.Cut) throws {
        let database = try PlainDatabase(journalMode: "wal")
        let world = try FaultWorld()
        let connection = try SQLiteConnection(
            path: database.path, access: .readWrite, vfs: world.name, busyTimeoutMilliseconds: 0)
        #expect(database.work(vfs: world.name) == nil)
        world.powerCut(cut)
        #expect(world.isOff)
        // The open one is dead, and stays so.
        #expect(throws: SQLiteFailure.self) { try connection.execute("UPDATE t SET n=n") }
        #expect(database.work(transactions: 1, vfs: world.name) != nil)
        #expect(try database.state() == 3)
        world.powerOn()
        #expect(throws: SQLiteFailure.self) { try connection.execute("UPDATE t SET n=n") }
        #expect(database.work(vfs: world.name) == nil)
        connection.close()
        #expect(try database.state() == 6)
    }

    /// Whether a power cut at the end, after a lie about the n-th sync, leaves less than was
    /// acknowledged, or damage.
    private func isLost(lyingAt n: Int, of count: Int, forGood: Bool, _ cut: FaultWorld.Cut) throws
        -> Bool
    {
        let database = try PlainDatabase(journalMode: "wal")
        let world = try FaultWorld()
        world.arm(.lie, at: n, of: .sync, forGood: forGood)
        // Cut while the connection is open: closing it would sync once more.
        let connection = try SQLiteConnection(
            path: database.path, access: .readWrite, vfs: world.name, busyTimeoutMilliseconds: 0)
        defer { connection.close() }
        #expect(try connection.integer(ofPragma: "page_count") > 0)
        #expect(database.work(vfs: world.name) == nil)
        #expect(world.faultCount > 0)
        world.powerCut(cut, seed: UInt64(n))
        return (try? database.state()) != 3
    }

    @Test("A disk that lies about a sync is detected", arguments: [false, true])
    func lies(forGood: Bool) throws {
        let count = try operationCount(.sync, journalMode: "wal")
        var losses = 0
        for n in 1..<count - 1 {
            for cut in [.loseAll, .keepSome, .tearLast] as [FaultWorld.Cut]
            where try isLost(lyingAt: n, of: count, forGood: forGood, cut) {
                losses += 1
            }
        }
        #expect(losses > 0)
    }

    @Test("A disk that never syncs loses every transaction")
    func neverSyncs() throws {
        #expect(try isLost(lyingAt: 1, of: 1, forGood: true, .loseAll))
        #expect(try !isLost(lyingAt: 1, of: 1, forGood: true, .keepAll))
    }

    @Test("Two simulated disks share nothing")
    func independence() throws {
        let database = try PlainDatabase(journalMode: "wal")
        let other = try PlainDatabase(journalMode: "wal")
        let world = try FaultWorld()
        let otherWorld = try FaultWorld()
        #expect(world.name != otherWorld.name)
        world.arm(.fail, at: 1, forGood: true)
        #expect(other.work(vfs: otherWorld.name) == nil)
        #expect(database.work(vfs: world.name) != nil)
        #expect(otherWorld.faultCount == 0)
        world.powerCut(.loseAll)
        #expect(!otherWorld.isOff)
        world.reset()
        #expect(world.count() == 0 && world.lastFault == "" && otherWorld.count() > 0)
    }
}
