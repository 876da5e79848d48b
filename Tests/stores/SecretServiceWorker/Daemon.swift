// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetSecretService
import SignetVault
import Synchronization

/// A gnome-keyring-daemon of this scenario.
final class Daemon: Sendable {
    static let password = "keyring"
    private static let running = Mutex<[Int32]>([])

    let identifier: Int32

    private init(_ identifier: Int32) { self.identifier = identifier }

    /// Starts one and waits until it answers.
    ///
    /// - Parameter isUnlocked: makes the login keyring, or opens it; otherwise it stays as it is, locked.
    @discardableResult
    static func start(isUnlocked: Bool = true) async throws -> Daemon {
        let process = Process()
        process.executableURL = URL(
            fileURLWithPath: ProcessInfo.processInfo.environment["SIGNET_KEYRING"] ?? "")
        process.arguments =
            ["--foreground", "--components=secrets"] + (isUnlocked ? ["--unlock"] : [])
        let input = Pipe()
        process.standardInput = input
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        running.withLock { $0.append(process.processIdentifier) }
        try note(process.processIdentifier)
        if isUnlocked { try input.fileHandleForWriting.write(contentsOf: Data(password.utf8)) }
        try input.fileHandleForWriting.close()
        var options = SecretServiceOptions(application: "waiting")
        options.collection = isUnlocked ? "login" : "session"
        options.deadlineSeconds = 2
        let store = try SecretServiceStore(options)
        while true {
            do throws(StoreError) {
                if try await !store.isLocked() { break }
            } catch {
                guard error.code == .unavailable || error.code == .timedOut else { throw error }
            }
            guard process.isRunning else { throw Failed(description: "the keyring ended") }
            try await pause(0.05)
        }
        return Daemon(process.processIdentifier)
    }

    /// For the tests, which end what is left when this program was ended itself.
    private static func note(_ identifier: Int32) throws {
        let path = (ProcessInfo.processInfo.environment["HOME"] ?? "") + "/daemons"
        if !FileManager.default.fileExists(atPath: path) {
            try Data().write(to: URL(fileURLWithPath: path))
        }
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data("\(identifier)\n".utf8))
        try file.close()
    }

    func signal(_ number: Int32) { _ = kill(identifier, number) }

    /// Stops it, and returns when all its threads stand, or it has ended.
    func stop() {
        signal(SIGSTOP)
        var information = unsafe siginfo_t()
        let ends = WSTOPPED | WEXITED | WNOWAIT
        while unsafe waitid(P_PID, id_t(identifier), &information, ends) < 0, errno == EINTR {}
    }

    /// Ends it at once and waits until it is gone.
    func end(_ number: Int32 = SIGKILL) async throws {
        signal(number)
        let deadline = now() + 3
        // Foundation reaps it; until then it is a zombie and still takes signals.
        while kill(identifier, 0) == 0 {
            if now() > deadline { signal(SIGKILL) }
            try await pause(0.02)
        }
        let identifier = identifier
        Self.running.withLock { $0.removeAll { $0 == identifier } }
    }

    static func stopAll() {
        for identifier in running.withLock({ $0 }) {
            _ = kill(identifier, SIGCONT)
            _ = kill(identifier, SIGKILL)
        }
    }
}
