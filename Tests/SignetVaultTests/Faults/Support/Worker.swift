// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport

/// A vault-worker of its own, to be killed at any moment.
final class Worker {
    private let process = Process()
    private let output = Pipe()
    private let input = Pipe()
    private var pending = [UInt8]()

    static let path = BuiltProgram.path("vault-worker")

    /// - Parameter stateFolder: where its lock files are; the user's own if nil.
    init(_ arguments: [String], stateFolder: String? = nil) throws {
        process.executableURL = URL(fileURLWithPath: Self.path)
        process.arguments = arguments
        if let stateFolder {
            process.environment = ProcessInfo.processInfo.environment.merging(
                ["XDG_STATE_HOME": stateFolder]) { $1 }
        }
        process.standardOutput = output
        process.standardInput = input
        process.standardError = FileHandle.standardError
        try process.run()
    }

    /// Waits for a line, and gives it.
    func line() -> String? {
        while true {
            if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                let text = String(decoding: pending[..<end], as: UTF8.self)
                pending.removeSubrange(...end)
                return text
            }
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { return nil }
            pending.append(contentsOf: more)
        }
    }

    func send(_ text: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    }

    func endInput() throws { try input.fileHandleForWriting.close() }

    /// SIGKILL: no handler runs, nothing is flushed.
    func kill() { Glibc.kill(process.processIdentifier, SIGKILL) }

    /// What it has said until its end.
    func remainingLines() -> [String] {
        var lines = [String]()
        while let line = line() { lines.append(line) }
        process.waitUntilExit()
        return lines
    }
}
