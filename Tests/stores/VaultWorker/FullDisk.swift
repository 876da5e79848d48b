// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Glibc
import SignetVault

/// Makes room in a vault on a small disk of its own that is full.
struct FullDisk {
    private struct Failure: Error {
        let text: String

        init(_ text: String) { self.text = text }
    }

    private static let byteCount = 200_000
    let disk: String

    private var path: String { disk + "/vault" }
    private var room: Room { Room(disk: disk) }

    func run() throws {
        // SQLite's temporary files have no room either.
        _ = unsafe setenv("SQLITE_TMPDIR", disk, 1)
        let method = try KeyFileUnlock.create(at: disk + "/key")
        let vault = try FileVault.create(at: path, with: method, options: VaultWorker.options)
        for name in ["a", "b", "c"] { try set(name, Self.byteCount, in: vault) }
        try stuckLog(vault)
        try removals(vault)
        guard try vault.verify().isClean else { throw Failure("damaged") }
        let left = try vault.read { try $0.allItems().map(\.key.account) }
        guard left.isEmpty else { throw Failure("left: \(left)") }
        vault.close()
        Line.write("made room")
    }

    /// A log that cannot be checkpointed, because the file cannot grow: the next write needs what
    /// is missing for that, and not its whole length.
    private func stuckLog(_ vault: FileVault) throws {
        try leave(110_000)
        try set("stuck", 75_000, in: vault)
        try leave(0)
        try mends("a write after a log that cannot be checkpointed", atMost: 60_000) {
            try set("stuck", 30_000, in: vault)
        }
        try empty()
        try vault.write { try $0.remove(key("stuck")) }
        try vault.compact()
    }

    private func removals(_ vault: FileVault) throws {
        // Less than the item has, and than a log of its pages.
        try leave(60_000)
        try vault.write { try $0.remove(key("a")) }
        try mends("compacting two of three items", atMost: 2 * Self.byteCount + 60_000) {
            try vault.compact()
        }
        try empty()
        for name in ["b", "c"] {
            try leave(60_000)
            try vault.write { try $0.remove(key(name)) }
        }
        let free = try freeByteCount()
        let freed = try vault.compact()
        guard freed > 2 * Self.byteCount, try freeByteCount() > free + 2 * Self.byteCount else {
            throw Failure("compacting freed \(freed) bytes")
        }
        Line.write("compacted with \(free) bytes free: \(freed) more")
    }

    /// `body` fails on the full disk, says how many bytes are missing, and succeeds with these and
    /// two pages more.
    private func mends(_ what: String, atMost most: Int, _ body: () throws -> Void) throws {
        let free = try freeByteCount()
        let missing: Int
        do {
            try body()
            throw Failure("\(what): \(free) bytes were enough")
        } catch let error as StoreError {
            let words = error.message.split(separator: " ")
            guard error.code == .unavailable, let word = words.firstIndex(of: "missing."),
                let count = Int(words[word - 3])
            else { throw error }
            Line.write("\(what): \(error.message)")
            missing = count
        }
        guard (1...most).contains(missing) else { throw Failure("\(what): \(missing) missing") }
        try leave(try freeByteCount() + missing + 8192)
        try body()
    }

    private func key(_ account: String) -> ItemKey { ItemKey(service: "full", account: account) }

    private func set(_ account: String, _ byteCount: Int, in vault: FileVault) throws {
        let value = SecretValue(String(repeating: "x", count: byteCount))
        try vault.write { try $0.set(value, for: key(account)) }
    }

    private func empty() throws { _ = unsafe unlink(disk + "/rest") }

    private func leave(_ free: Int) throws {
        try empty()
        try room.fill(leaving: free)
    }

    private func freeByteCount() throws -> Int {
        var status = statvfs()
        guard unsafe statvfs(disk, &status) == 0 else { throw Failure("statvfs") }
        return Int(status.f_bavail) * Int(status.f_frsize)
    }
}
