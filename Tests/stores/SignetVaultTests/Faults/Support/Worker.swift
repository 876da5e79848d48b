// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestPrograms
import TestSupport

/// A vault-worker process, to be killed at any moment.
final class Worker {
    private let program: PipedProgram
    private var pending = [UInt8]()

    static let path = BuiltProgram.path("vault-worker")

    /// - Parameter stateFolder: where its lock files are; the user's own if nil.
    init(_ arguments: [String], stateFolder: String? = nil) throws {
        let environment = stateFolder.map {
            ProcessInfo.processInfo.environment.merging(["XDG_STATE_HOME": $0]) { $1 }
        }
        program = try PipedProgram(Self.path, arguments, environment: environment)
    }

    /// Waits for a line, and gives it.
    func line() -> String? {
        while true {
            if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                let text = String(decoding: pending[..<end], as: UTF8.self)
                pending.removeSubrange(...end)
                return text
            }
            let more = program.output.availableData
            guard !more.isEmpty else { return nil }
            pending.append(contentsOf: more)
        }
    }

    func send(_ text: String) throws {
        try program.input.write(contentsOf: Data(text.utf8))
    }

    func endInput() throws { try program.input.close() }

    /// Its number.
    var process: Int32 { program.identifier }

    /// SIGSTOP, as a terminal's Ctrl-Z.
    func stop() { program.stop() }

    /// SIGKILL: no handler runs, nothing is flushed.
    func kill() { program.signal(SIGKILL) }

    /// What it has said until its end.
    func remainingLines() -> [String] {
        var lines = [String]()
        while let line = line() { lines.append(line) }
        program.wait()
        return lines
    }
}
