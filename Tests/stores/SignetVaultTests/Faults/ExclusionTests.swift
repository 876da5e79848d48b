// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetPlatform
import SignetVault
import TestPrograms
import TestSupport
import Testing

/// Exclusive access to one item of a vault, among processes that are killed (SIGKILL).
@Suite("Exclusive access between processes", .serialized)
struct ExclusionTests {
    /// What one process after the other reported, in one of the concurrent places.
    private struct Told {
        var lines: [String] = []
        var killed = 0
    }

    @Test(
        "Four processes count without compare-and-swap under kills, one at a time, losing nothing",
        .tags(.killRounds, .sampled))
    func counting() async throws {
        let goal = Effort.rounds(1000)
        let folder = try PrivateFolder()
        let keyFile = folder.path + "/key"
        let path = folder.path + "/vault"
        let method = try KeyFileUnlock.create(at: keyFile)
        try FileVault.create(at: path, with: method).lock()
        let arguments = ["count", path, keyFile, folder.path + "/witness", "\(goal)"]
        let state = folder.path
        let told = Locked([Told](repeating: Told(), count: 4))

        try await withThrowingTaskGroup { group in
            for place in 0..<4 {
                group.addTask {
                    try await Self.offPool {
                        while true {
                            let lines = try Worker(arguments, stateFolder: state).remainingLines()
                            told.withLock { $0[place].lines += lines }
                            // A killed one is followed by another.
                            guard lines.last != "done", lines.last != "overlap",
                                lines.last?.hasPrefix("error") != true
                            else { return }
                            told.withLock { $0[place].killed += 1 }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }

        let all = told.withLock { $0 }
        let lines = all.flatMap(\.lines)
        let killed = all.map(\.killed).reduce(0, +)
        #expect(!lines.contains { $0 == "overlap" || $0.hasPrefix("error") }, "\(lines.suffix(20))")
        #expect(lines.count { $0 == "done" } == 4)
        let wrote = lines.compactMap { Self.number(of: $0, "wrote") }
        #expect(Set(wrote).count == wrote.count, "two wrote the same number: one write is lost")
        // A process that was killed after its write had no time to report it.
        let read = Set(lines.compactMap { Self.number(of: $0, "read") })
        let unsaid = Set(1...goal).subtracting(wrote)
        #expect(unsaid.allSatisfy { read.contains($0 - 1) })
        #expect(unsaid.count <= killed)
        let vault = try FileVault.open(at: path, options: .longWaiting)
        try vault.unlock(with: method)
        let key = ItemKey(service: "exclusion", account: "counter")
        #expect(try await vault.get(key)?.string() == "\(goal)")
        #expect(killed > 0)
        print(
            "exclusive access: \(goal) rounds of 4 processes, \(killed) killed inside, none lost")
    }

    @Test("Killing the holder frees the item at once")
    func killedHolder() async throws {
        let folder = try PrivateFolder()
        let keyFile = folder.path + "/key"
        let path = folder.path + "/vault"
        let vault = try FileVault.create(
            at: path, with: KeyFileUnlock.create(at: keyFile), options: .longWaiting)
        let key = ItemKey(service: "exclusion", account: "counter")
        for _ in 0..<3 {
            // In the user's own state folder, as this process.
            let worker = try Worker(["hold", path, keyFile])
            #expect(worker.line() == "in")
            await #expect(throws: StoreError(.timedOut, "")) {
                try await vault.withExclusiveAccess(to: key, within: .milliseconds(10)) {}
            }
            worker.kill()
            _ = worker.remainingLines()
            try await vault.withExclusiveAccess(to: key, within: .zero) {}
        }
    }

    @Test("Processes with different state folders exclude each other, and the holder is named")
    func otherFolder() async throws {
        let folder = try PrivateFolder()
        let keyFile = folder.path + "/key"
        let path = folder.path + "/vault"
        let vault = try FileVault.create(
            at: path, with: KeyFileUnlock.create(at: keyFile), options: .longWaiting)
        let key = ItemKey(service: "exclusion", account: "counter")
        let worker = try Worker(["hold", path, keyFile], stateFolder: folder.path + "/state")
        #expect(worker.line() == "in")
        func refusal() async -> String {
            let error = await #expect(throws: StoreError(.timedOut, "")) {
                try await vault.withExclusiveAccess(to: key, within: .zero) {}
            }
            return error?.message ?? ""
        }
        let running = await refusal()
        #expect(running.contains("Process \(worker.process) (vault-worker) has it."), "\(running)")
        worker.stop()
        while await !refusal().contains("kill -CONT \(worker.process)") {}
        // Old and new programs look there. Of the item, and no name that tells which.
        for place in ["/state/signet/locks", "/vault.locks"] {
            let locks = try FileManager.default.contentsOfDirectory(atPath: folder.path + place)
            #expect(locks.count == 1)
            #expect(locks.allSatisfy { $0.utf8.count == 64 })
        }
        worker.kill()
        _ = worker.remainingLines()
        try await vault.withExclusiveAccess(to: key, within: .seconds(3_600)) {}
    }

    @Test("A program that knows only the state folder's lock is excluded, and excludes")
    func olderProgram() async throws {
        let folder = try VaultFolder()
        let vault = try folder.vault()
        let key = ItemKey("a")
        let old = try LockFile(named: LockName("vault", store: [vault.id], item: key).hexadecimal)
        #expect(try old.tryLocking())
        let error = await #expect(throws: StoreError(.timedOut, "")) {
            try await vault.withExclusiveAccess(to: key, within: .milliseconds(20)) {}
        }
        #expect(error?.message.contains("Process \(getpid()) ") == true)
        old.release()
        try await vault.withExclusiveAccess(to: key, within: .zero) {
            let old = try LockFile(
                named: LockName("vault", store: [vault.id], item: key).hexadecimal)
            #expect(try !old.tryLocking())
        }
    }

    private static func mounted(
        readOnly folder: String, _ words: [String], state: String
    ) throws -> String {
        try ChildProgram.run(
            "/usr/bin/unshare",
            (geteuid() == 0 ? ["-m"] : ["-rm"])
                + [
                    "sh", "-c",
                    #"mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@""#,
                    folder,
                ] + words,
            environment: ProcessInfo.processInfo.environment.merging(["XDG_STATE_HOME": state]) {
                $1
            }
        ).text
    }

    private static let canMount = (try? mounted(readOnly: "/mnt", ["echo"], state: "/mnt")) == "\n"

    @Test(
        "A read-only state folder prevents nothing; a read-only data folder does, and is named",
        .enabled(if: canMount, "no file system may be mounted here"), arguments: [false, true])
    func readOnlyFolders(hasFile: Bool) throws {
        let folder = try PrivateFolder()
        let (data, state) = (folder.path + "/data", folder.path + "/state")
        for path in [data, state] {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700])
        }
        let arguments = ["once", data + "/vault", data + "/key"]
        try FileVault.create(at: arguments[1], with: KeyFileUnlock.create(at: arguments[2])).close()
        if hasFile { #expect(try Worker(arguments, stateFolder: state).remainingLines() == ["in"]) }
        let words = [Worker.path] + arguments
        #expect(try Self.mounted(readOnly: state, words, state: state) == "in\n")
        let refused = try Self.mounted(readOnly: data, words, state: state)
        #expect(refused.hasPrefix("error readOnly") && refused.contains("data/vault"), "\(refused)")
    }

    private static func number(of line: String, _ verb: String) -> Int? {
        let words = line.split(separator: " ")
        guard words.count == 2, words[0] == verb else { return nil }
        return Int(words[1])
    }

    /// On a thread that may block for a process.
    private static func offPool(_ body: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<_, any Error>) in
            Thread { continuation.resume(with: Result { try body() }) }.start()
        }
    }
}
