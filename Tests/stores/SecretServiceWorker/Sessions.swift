// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SessionServer
import SignetSecretService
import SignetSession

/// Eight processes that stay signed in over one keyring, and are killed at random moments.
enum Sessions {
    static func run() async throws {
        try await Daemon.start()
        let isFull = ProcessInfo.processInfo.environment["SIGNET_FULL_EFFORT"] == "1"
        let periods = isFull ? 50 : 10
        for kind in StubServer.Kind.allCases {
            let (server, clock) = try place(kind)
            var options = SessionOptions()
            options.refreshesAhead = false
            let manager = try SessionManager(
                store: store(kind), service: "api.example", backend: server, options: options,
                clock: clock.source)
            let fixture = RestartedWorkers(
                "/proc/\(ProcessInfo.processInfo.processIdentifier)/exe",
                ["client", kind.rawValue])
            let told = try await KilledRun.play(periods: periods, fixture, server, clock) {
                try await manager.adopt(server.signIn())
            }
            print(told.told(of: kind.rawValue, on: "keyring", periods: periods))
            try check(told.kills > 0, "none was killed")
            try checkEqual(told.losses, told.record.ended, "sessions end once")
            guard kind != .noGrace else {
                try check(told.losses <= told.torn, "\(told.losses) lost, \(told.torn) torn")
                continue
            }
            try check(told.losses == 0, "\(told.record.reasons)")
            try checkEqual(told.record.rotations, periods, "one exchange a period")
        }
    }

    /// One of them.
    static func client() async throws {
        guard let kind = StubServer.Kind(rawValue: CommandLine.arguments.dropFirst(2).first ?? "")
        else { throw Failed(description: "arguments") }
        let (server, clock) = try place(kind)
        try await SignedInProgram.staySignedIn(over: store(kind), server, clock)
    }

    private static func store(_ kind: StubServer.Kind) throws -> SecretServiceStore {
        try makeStore(application: "sessions-\(kind.rawValue)")
    }

    private static func place(
        _ kind: StubServer.Kind
    ) throws -> (server: StubServer, clock: SharedClock) {
        let folder = (ProcessInfo.processInfo.environment["HOME"] ?? "") + "/" + kind.rawValue
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let clock = SharedClock(folder: folder)
        return (StubServer(kind, folder: folder, clock: clock), clock)
    }
}
