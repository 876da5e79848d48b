// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetPlatform
import SignetVault
import TestSupport
import Testing

/// Processes that write one vault and are killed (SIGKILL) at moments that no one chose.
///
/// A killed process is not a lost disk: what unsynchronised pages do is FaultTests' business.
@Suite("Killed writers", .serialized)
struct CrashTests {
    /// What each item must be at least (kept) and may be at most (tried), by account.
    struct History {
        var kept: [String: Int] = [:]
        var tried: [String: Int] = [:]
        var acknowledged = 0

        mutating func read(_ lines: [String], of name: String) {
            for line in lines {
                let words = line.split(separator: " ")
                guard let verb = words.first, verb == "kept" || verb == "try" else { continue }
                for word in words.dropFirst() {
                    let parts = word.split(separator: "=")
                    guard parts.count == 2, let number = Int(parts[1]) else { continue }
                    let account = "\(name)-\(parts[0])"
                    if verb == "kept" { kept[account] = number } else { tried[account] = number }
                }
                if verb == "kept" { acknowledged += 1 }
            }
        }
    }

    /// Reads until this many lines begin like this, or until the worker ends.
    private func lines(of worker: Worker, until count: Int = 1, _ beginning: String) -> [String] {
        var lines = [String]()
        while lines.count(where: { $0.hasPrefix(beginning) }) < count, let line = worker.line() {
            lines.append(line)
        }
        return lines
    }

    @Test(
        "No acknowledged write is lost, and the vault is clean after each kill",
        .tags(.killRounds, .sampled), arguments: [0xC0FFEE])
    func killed(seed: UInt64) throws {
        let rounds = Effort.rounds(200)
        let folder = try PrivateFolder()
        let keyFile = folder.path + "/key"
        let path = folder.path + "/vault"
        let method = try KeyFileUnlock.create(at: keyFile)
        try FileVault.create(at: path, with: method).lock()
        var generator = SeededGenerator(seed: seed)
        var history = History()
        var (turned, compacted) = (0, 0)

        for round in 0..<rounds {
            var names = ["a", "b"]
            if round % 3 == 0 { names.append("c") }
            var workers = try names.map { name in
                (name, try Worker(["write", path, keyFile, name, "\(generator.next() >> 1)"]))
            }
            if round % 2 == 0 { workers.append(("rotate", try Worker(["rotate", path, keyFile]))) }
            if round % 5 == 0 { workers.append(("slots", try Worker(["slots", path, keyFile]))) }
            if round % 4 == 1 {
                workers.append(("compact", try Worker(["compact", path, keyFile])))
            }
            // Most rounds kill while all are working, some while they open the vault.
            if round % 7 != 0 { for (_, worker) in workers { _ = worker.line() } }
            // However busy the machine is, some rounds kill after saved writes, and some after
            // changed keys.
            var said = [String: [String]]()
            for (name, worker) in workers {
                if round % 5 == 1, names.contains(name) {
                    said[name] = lines(of: worker, until: 3, "kept")
                } else if round % 10 == 2, name == "rotate" {
                    said[name] = lines(of: worker, "rotated")
                }
            }
            for (_, worker) in workers.shuffled(using: &generator) {
                usleep(UInt32(generator.next() % 25_000))
                worker.kill()
            }
            for (name, worker) in workers {
                let lines = said[name, default: []] + worker.remainingLines()
                #expect(
                    lines.allSatisfy { !$0.hasPrefix("error") },
                    "round \(round) \(name): \(lines.last ?? "")"
                )
                compacted += lines.count { $0 == "compacted" }
                turned += lines.count { $0 == "rotated" || $0 == "changed" }
                history.read(lines, of: name)
            }
            try check(path, method, history, "round \(round)")
        }
        print(
            "killed \(rounds) rounds: \(history.acknowledged) acknowledged writes, \(turned) changes of keys, \(compacted) times compacted, none lost"
        )
        #expect(history.acknowledged > rounds)
        #expect(turned > 0)
    }

    @Test(
        "A writer that is killed while it checkpoints a long log, beside readers, loses nothing",
        .tags(.killRounds, .sampled))
    func longLog() throws {
        let rounds = Effort.rounds(60)
        let folder = try PrivateFolder()
        let keyFile = folder.path + "/key"
        let path = folder.path + "/vault"
        let method = try KeyFileUnlock.create(at: keyFile)
        try FileVault.create(at: path, with: method).lock()
        var generator = SeededGenerator(seed: 0xF01D)
        var history = History()
        let byteCount = 250_000
        for round in 0..<rounds {
            // 0.5 to 1 MB of log for each write: every tenth or so checkpoints.
            let worker = try Worker([
                "write", path, keyFile, "a", "\(generator.next() >> 1)", "\(byteCount)",
            ])
            #expect(worker.line() == "ready")
            let reader = try FileVault.open(at: path, options: .longWaiting)
            try reader.unlock(with: method)
            var said = [String]()
            for _ in 0..<3 {
                // A snapshot in the way of the checkpoint for a while.
                try reader.read { _ in said += lines(of: worker, until: 4, "kept") }
            }
            usleep(UInt32(generator.next() % 25_000))
            worker.kill()
            said += worker.remainingLines()
            #expect(PrivatePlace.logByteCount(ofFileAt: path) <= 16_000_000)
            reader.close()
            #expect(
                said.allSatisfy { !$0.hasPrefix("error") }, "round \(round): \(said.last ?? "")")
            history.read(said, of: "a")
            try check(path, method, history, "round \(round)", extraByteCount: byteCount)
        }
        print("killed \(rounds) rounds beside a reader: \(history.acknowledged) writes, none lost")
    }

    @Test(
        "Ten processes at once, two of which rotate keys, lose nothing and all make progress",
        .tags(.killRounds))
    func tenProcesses() throws {
        let folder = try PrivateFolder()
        let keyFile = folder.path + "/key"
        let path = folder.path + "/vault"
        let method = try KeyFileUnlock.create(at: keyFile)
        try FileVault.create(at: path, with: method).lock()
        let names = (0..<8).map { "p\($0)" }
        let workers = try names.map {
            ($0, try Worker(["write", path, keyFile, $0, "\($0.hashValue & 0xffff)"]))
        }
        let turning = [
            try Worker(["rotate", path, keyFile]), try Worker(["slots", path, keyFile]),
        ]
        for worker in workers.map(\.1) + turning { #expect(worker.line() == "ready") }
        // Some seconds side by side, and then until each has had its turn.
        usleep(3_000_000)
        let changes = turning.map { lines(of: $0, "") }
        let writes = workers.map { lines(of: $1, "kept") }
        for worker in workers.map(\.1) + turning { worker.kill() }
        for (worker, said) in zip(turning, changes) {
            let lines = said + worker.remainingLines()
            #expect(
                !lines.isEmpty && lines.allSatisfy { !$0.hasPrefix("error") }, "\(lines.last ?? "")"
            )
        }
        var history = History()
        var counts = [Int]()
        for ((name, worker), said) in zip(workers, writes) {
            let before = history.acknowledged
            let lines = said + worker.remainingLines()
            #expect(lines.allSatisfy { !$0.hasPrefix("error") }, "\(name): \(lines.last ?? "")")
            history.read(lines, of: name)
            counts.append(history.acknowledged - before)
        }
        try check(path, method, history, "ten processes")
        print(
            "ten processes: \(history.acknowledged) acknowledged writes, by process \(counts.sorted())"
        )
        #expect(counts.allSatisfy { $0 > 0 })
    }

    private func check(
        _ path: String, _ method: KeyFileUnlock, _ history: History, _ round: String,
        extraByteCount: Int = 0
    ) throws {
        let vault = try FileVault.open(at: path)
        try vault.unlock(with: method)
        let report = try vault.verify()
        #expect(report.isClean, "\(round): \(report.findings)")
        for (account, tried) in history.tried {
            let key = ItemKey(service: "crash", account: account)
            let text = try vault.entry(key)?.value.string() ?? "0 "
            let number = Int(text.prefix { $0 != " " }) ?? -1
            #expect(
                number >= history.kept[account] ?? 0,
                "\(round): \(account) is \(number), was kept as \(history.kept[account] ?? 0)")
            #expect(
                number <= tried, "\(round): \(account) is \(number), at most \(tried) was tried")
            #expect(
                number == 0
                    || text == "\(number) "
                        + String(repeating: "x", count: extraByteCount + number * 37 % 900),
                "\(round): \(account) is torn")
        }
    }
}
