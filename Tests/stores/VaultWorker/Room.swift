// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Glibc
import SignetVault

/// Reserves room in a vault's log, on a small disk of its own that is then filled to the last byte.
struct Room {
    private struct Failure: Error {
        let text: String

        init(_ text: String) { self.text = text }
    }

    private static let byteCount = 12_000
    private static let key = ItemKey(service: "room", account: "a")

    let disk: String

    /// Every free size, with and without a reader of an old state.
    static func run(_ disk: String) throws {
        let room = Room(disk: disk)
        _ = try KeyFileUnlock.create(at: disk + "/key")
        for hasReader in [false, true] {
            var reserved: [Int] = []
            for free in stride(from: 0, through: 256, by: 4)
            where try room.round(free: free * 1024, hasReader: hasReader) { reserved.append(free) }
            guard let first = reserved.first, reserved.count > 1 else {
                throw Failure("nothing was ever reserved")
            }
            Line.write(
                "\(hasReader ? "old reader" : "no reader"): \(reserved.count) of 65 sizes "
                    + "reserved, the first with \(first) KiB free; all written on a full disk")
        }
    }

    /// Reserves, and is killed.
    static func leave(_ path: String, _ keyFile: String, writes: Int) throws {
        let vault = try FileVault.open(at: path, options: VaultWorker.options)
        try vault.unlock(with: KeyFileUnlock(path: keyFile))
        for number in 0..<writes {
            try vault.write {
                try $0.set("\(number)", for: ItemKey(service: "left", account: "\(number)"))
            }
        }
        try vault.makeRoom(forValueByteCount: byteCount)
        Line.write("reserved")
        _ = kill(getpid(), SIGKILL)
    }

    /// Opens, reads and closes.
    static func look(_ path: String, _ keyFile: String) throws {
        let vault = try FileVault.open(at: path, options: VaultWorker.options)
        try vault.unlock(with: KeyFileUnlock(path: keyFile))
        _ = try vault.read { try $0.allItems() }
        vault.close()
        Line.write("looked")
    }

    private func open(_ path: String) throws -> FileVault {
        let vault = try FileVault.open(at: path, options: VaultWorker.options)
        try vault.unlock(with: KeyFileUnlock(path: disk + "/key"))
        return vault
    }

    private func value(_ letter: String) -> SecretValue {
        SecretValue(String(repeating: letter, count: Self.byteCount))
    }

    /// Whether the room was reserved. Then the write succeeded with the disk full; otherwise
    /// nothing was changed.
    private func round(free: Int, hasReader: Bool) throws -> Bool {
        let path = disk + "/vault"
        try FileVault.create(at: path, with: KeyFileUnlock(path: disk + "/key")).close()
        let vault = try open(path)
        let other = try open(path)
        try vault.write { try $0.set(value("a"), for: Self.key) }
        let isReserved =
            hasReader
            ? try other.read { _ in try reserveAndWrite(vault, path, free: free, rounds: 3) }
            : try reserveAndWrite(vault, path, free: free, rounds: 1)
        other.close()
        vault.close()
        _ = unsafe unlink(disk + "/rest")
        let again = try open(path)
        let found = try again.read { try $0.get(Self.key)?.string().prefix(1) }
        guard found.map({ $0 == (isReserved ? "c" : "b") }) == true, try again.verify().isClean
        else { throw Failure("\(free): \(found ?? "nothing") is kept") }
        again.close()
        for suffix in ["-wal", "-shm"] where unsafe access(path + suffix, F_OK) == 0 {
            throw Failure("\(free): \(suffix) is left")
        }
        _ = unsafe unlink(path)
        return isReserved
    }

    private func reserveAndWrite(
        _ vault: FileVault, _ path: String, free: Int, rounds: Int
    ) throws -> Bool {
        for _ in 0..<rounds { try vault.write { try $0.set(value("b"), for: Self.key) } }
        try fill(leaving: free)
        do {
            try vault.makeRoom(forValueByteCount: Self.byteCount)
        } catch {
            guard error.code == .unavailable else { throw error }
            return false
        }
        // The end of another process, which checkpoints.
        if free % 65_536 == 0, rounds == 1 {
            let program = CommandLine.arguments[0]
            guard unsafe system("'\(program)' look '\(path)' '\(disk)/key' >/dev/null") == 0 else {
                throw Failure("\(free): another process failed")
            }
        }
        try fill(leaving: 0)
        try vault.write { try $0.set(value("c"), for: Self.key) }
        return true
    }

    /// Fills the disk up to this many bytes, rounded to its pages.
    func fill(leaving free: Int) throws {
        let file = unsafe Glibc.open(disk + "/rest", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        defer { Glibc.close(file) }
        let page = [UInt8](repeating: 1, count: 4096)
        while true {
            var status = statvfs()
            guard unsafe statvfs(disk, &status) == 0 else { throw Failure("statvfs") }
            guard Int(status.f_bavail) * Int(status.f_frsize) > free else { return }
            guard unsafe Glibc.write(file, page, page.count) == page.count else { return }
        }
    }
}
