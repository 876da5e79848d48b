// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SQLiteBridge
import SignetVault
import TestSupport
import Testing

/// Limits that the system sets: on a file's size, on a folder, on open files. Each in a process of its own, which they end with.
@Suite("A vault against the system's limits")
struct LimitTests {
    @Test(
        "A file-size limit while writing loses nothing, and the vault continues once it is lifted"
    )
    func fileSize() async {
        await #expect(processExitsWith: .success) {
            let folder = try PrivateFolder()
            let path = folder.path + "/vault"
            try Workload.make(at: path)
            let vault = try FileVault.open(at: path)
            try vault.unlock(with: Workload.method)
            _ = signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 400_000, rlim_max: rlim_t.max)
            #expect(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
            var kept = 0
            let failure = #expect(throws: StoreError.self) {
                for number in 0..<2000 {
                    try vault.set(
                        SecretValue(String(repeating: "v", count: 900)),
                        for: Workload.key("n\(number)"),
                        details: nil)
                    kept = number + 1
                }
            }
            #expect(failure == StoreError(.unavailable, ""))
            #expect(kept > 10)
            #expect(try vault.verify().isClean)
            limit.rlim_cur = rlim_t.max
            #expect(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
            try vault.set(SecretValue("after"), for: Workload.key("after"), details: nil)
            vault.close()
            let content = try Workload.content(of: path)
            #expect(content["after"] == "after")
            for number in 0..<kept {
                #expect(content["n\(number)"]?.utf8.count == 900, "n\(number)")
            }
        }
    }

    @Test("On a full disk a removal checkpoints the log first, or says how many bytes it needs")
    func removal() async {
        await #expect(processExitsWith: .success) {
            let folder = try PrivateFolder()
            let path = folder.path + "/vault"
            try Workload.make(at: path)
            let vault = try FileVault.open(at: path)
            try vault.unlock(with: Workload.method)
            // A current reader: until it ends, nothing is checkpointed, and the log grows.
            let reader = try SQLiteConnection(
                path: path, access: .readWrite, busyTimeoutMilliseconds: 600_000)
            try reader.setCheckpointsOnClose(false)
            let statement = try reader.prepare("SELECT count(*) FROM item")
            _ = try statement.step()
            _ = signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 300_000, rlim_max: rlim_t.max)
            #expect(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
            let failure = #expect(throws: StoreError.self) {
                for number in 0..<1000 {
                    try vault.set(SecretValue("\(number)"), for: Workload.key("a"), details: nil)
                }
            }
            #expect(failure == StoreError(.unavailable, ""))
            try statement.reset()
            reader.close()
            #expect(try vault.remove(Workload.key("a")))
            #expect(try vault.verify().isClean)
            // Not even an empty log has room.
            try vault.set(SecretValue("b"), for: Workload.key("b"), details: nil)
            limit.rlim_cur = 8192
            #expect(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
            let missing = #expect(throws: StoreError.self) { try vault.remove(Workload.key("b")) }
            let words = missing?.message.split(separator: " ") ?? []
            let bytes = words.firstIndex(of: "bytes").flatMap { Int(words[$0 - 1]) }
            #expect(
                missing?.code == .unavailable && (bytes ?? 0) > 8192, "\(missing?.message ?? "")")
            limit.rlim_cur = rlim_t.max
            #expect(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
            #expect(try vault.remove(Workload.key("b")))
            vault.close()
            #expect(try Workload.content(of: path) == Workload.initial)
        }
    }

    @Test("An unwritable folder is an error, not damage, and the vault opens once it is writable")
    func readOnlyFolder() async {
        await #expect(processExitsWith: .success) {
            let folder = try PrivateFolder()
            let path = folder.path + "/vault"
            try Workload.make(at: path)
            // Permissions do not hold root back: continue as another user.
            let wasRoot = geteuid() == 0
            if wasRoot {
                for place in [folder.path, path] {
                    #expect(unsafe chown(place, 54_321, 54_321) == 0)
                }
                #expect(seteuid(54_321) == 0)
            }
            #expect(unsafe chmod(folder.path, 0o500) == 0)
            let failure = #expect(throws: StoreError.self) {
                let vault = try FileVault.open(at: path)
                try vault.unlock(with: Workload.method)
                try vault.set(SecretValue("new"), for: Workload.key("new"), details: nil)
            }
            #expect(failure == StoreError(.unavailable, ""))
            #expect(throws: StoreError(.unavailable, "")) {
                try FileVault.create(at: folder.path + "/other", with: Workload.method)
            }
            #expect(unsafe chmod(folder.path, 0o700) == 0)
            #expect(try Workload.content(of: path) == Workload.initial)
            if wasRoot { _ = seteuid(0) }
        }
    }

    @Test("Without free file descriptors new calls fail, and the open vault continues")
    func openFiles() async {
        await #expect(processExitsWith: .success) {
            let folder = try PrivateFolder()
            let path = folder.path + "/vault"
            try Workload.make(at: path)
            let vault = try FileVault.open(at: path)
            try vault.unlock(with: Workload.method)
            var limit = rlimit()
            #expect(unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
            let before = limit.rlim_cur
            limit.rlim_cur = 3
            #expect(unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
            // No expectation is reported before files can be opened again: that needs one.
            let attempts: [Result<Void, any Error>] = [
                Result { _ = try FileVault.open(at: path) },
                Result {
                    try vault.set(SecretValue("still"), for: Workload.key("still"), details: nil)
                },
                Result { _ = try vault.entry(Workload.key("kept")) },
            ]
            limit.rlim_cur = before
            #expect(unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
            let codes = attempts.map { attempt -> String in
                switch attempt {
                case .success: "done"
                case .failure(let error): (error as? StoreError)?.code.rawValue ?? "\(error)"
                }
            }
            try #require(codes == ["unavailable", "done", "done"], "\(codes)")
            vault.close()
            #expect(try Workload.content(of: path)["still"] == "still")
        }
    }
}
