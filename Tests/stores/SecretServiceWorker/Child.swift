// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Another process of a scenario.
final class Child: Sendable {
    let identifier: Int32

    private init(_ identifier: Int32) { self.identifier = identifier }

    static func start(_ executable: String, _ arguments: [String]) throws -> Child {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        return Child(process.processIdentifier)
    }

    func end() async throws {
        _ = kill(identifier, SIGKILL)
        while kill(identifier, 0) == 0 { try await pause(0.02) }
    }

    /// Plays another scenario in a process of its own, to its end.
    static func run(_ arguments: [String]) throws {
        let process = try worker(arguments)
        process.waitUntilExit()
        try check(process.terminationStatus == 0, "\(arguments) failed")
    }

    /// Starts another scenario; its output is this one's.
    ///
    /// - Parameter stateFolder: its XDG_STATE_HOME; nil for this process's.
    static func worker(_ arguments: [String], stateFolder: String? = nil) throws -> Process {
        let process = Process()
        if let stateFolder {
            process.environment = ProcessInfo.processInfo.environment
                .merging(["XDG_STATE_HOME": stateFolder]) { $1 }
        }
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        try process.run()
        return process
    }
}
