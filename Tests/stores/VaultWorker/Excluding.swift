// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Glibc
import SignetVault

/// Counts with one item inside exclusive access, without compare-and-swap, and is killed there now
/// and then.
struct Excluding {
    static let item = ItemKey(service: "exclusion", account: "counter")

    let vault: FileVault
    let goal: Int
    /// Locked by another kind of lock, which shows who is inside. When a process is killed, the
    /// system closes this first, as its number is below those of the lock files.
    let witness: Int32

    init(_ arguments: [String]) throws {
        witness = unsafe open(arguments[3], O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        goal = Int(arguments[4]) ?? 0
        vault = try FileVault.open(at: arguments[1], options: VaultWorker.options)
        try vault.unlock(with: KeyFileUnlock(path: arguments[2]))
    }

    func run() async throws {
        Line.write("ready")
        while true {
            let isDone = try await vault.withExclusiveAccess(
                to: Self.item, within: .seconds(3600)
            ) {
                guard try lockWitness(F_WRLCK) else {
                    Line.write("overlap")
                    return true
                }
                let count = Int(try await vault.get(Self.item)?.string() ?? "0") ?? 0
                guard count < goal else {
                    _ = try lockWitness(F_UNLCK)
                    return true
                }
                dieAtTimes()
                Line.write("read \(count)")
                try await Task.sleep(for: .microseconds(Int.random(in: 0...1000)))
                dieAtTimes()
                try await vault.set("\(count + 1)", for: Self.item)
                dieAtTimes()
                Line.write("wrote \(count + 1)")
                _ = try lockWitness(F_UNLCK)
                return false
            }
            guard !isDone else { break }
            // The others' turn.
            try await Task.sleep(for: .microseconds(Int.random(in: 0...4000)))
        }
        Line.write("done")
    }

    /// Holds the item until it is killed.
    static func hold(_ path: String, _ keyFile: String) async throws {
        let vault = try FileVault.open(at: path, options: VaultWorker.options)
        try vault.unlock(with: KeyFileUnlock(path: keyFile))
        try await vault.withExclusiveAccess(to: item, within: .zero) {
            Line.write("in")
            try await Task.sleep(for: .seconds(600))
        }
    }

    /// Has the item once.
    static func once(_ path: String, _ keyFile: String) async throws {
        let vault = try FileVault.open(at: path, options: VaultWorker.options)
        try vault.unlock(with: KeyFileUnlock(path: keyFile))
        try await vault.withExclusiveAccess(to: item, within: .zero) { Line.write("in") }
    }

    private func dieAtTimes() {
        if Int.random(in: 0..<15) == 0 { _ = kill(getpid(), SIGKILL) }
    }

    private func lockWitness(_ kind: Int32) throws -> Bool {
        var range = flock()
        range.l_type = Int16(kind)
        return unsafe fcntl(witness, F_SETLK, &range) == 0
    }
}
