// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Another program, run to its end: input and output go through files, so neither side can wait for the other.
struct Command {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    struct Outcome {
        let status: Int32
        let output: Data
        let errors: String
    }

    let executable: String

    /// The program of that name in PATH.
    static func find(_ name: String) -> Command? {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return folders.map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
            .map { Command(executable: $0) }
    }

    /// Runs it and fails unless it succeeds.
    @discardableResult
    func run(_ arguments: [String], input: Data = Data()) throws -> Data {
        let outcome = try outcome(of: arguments, input: input)
        guard outcome.status == 0 else {
            throw Failure(
                description:
                    "\(executable) \(arguments.joined(separator: " ")): \(outcome.status): \(outcome.errors)"
            )
        }
        return outcome.output
    }

    func outcome(of arguments: [String], input: Data = Data()) throws -> Outcome {
        let folder = try TemporaryFolder()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = arguments
        process.standardInput = try FileHandle(forReadingFrom: folder.file("input", input))
        let output = try folder.file("output", Data())
        let errors = try folder.file("errors", Data())
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        process.waitUntilExit()
        return Outcome(
            status: process.terminationStatus, output: try Self.read(output),
            errors: String(decoding: try Self.read(errors), as: UTF8.self))
    }

    // Not Data(contentsOf:), which leaks its buffer when a file is empty: the leak checker is to stay quiet.
    private static func read(_ file: URL) throws -> Data {
        try FileHandle(forReadingFrom: file).readToEnd() ?? Data()
    }
}
