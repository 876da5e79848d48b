// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// A vault-worker of its own, to be killed at any moment.
final class Worker {
    private let process = Process()
    private let output = Pipe()
    private let input = Pipe()
    private var pending = [UInt8]()

    /// The program, which SwiftPM puts beside the tests.
    static let path: String = {
        var tests = CommandLine.arguments.filter { $0.hasSuffix(".xctest") }
        if let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") {
            tests.append(own)
        }
        let places = tests.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path + "/vault-worker" }
        return places.first { FileManager.default.isExecutableFile(atPath: $0) } ?? "vault-worker"
    }()

    init(_ arguments: [String]) throws {
        process.executableURL = URL(fileURLWithPath: Self.path)
        process.arguments = arguments
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
