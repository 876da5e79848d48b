// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import CTestPrograms
import Foundation
import Glibc

/// Another program. It inherits no descriptor but its three streams and no blocked signal, and it is
/// reaped when it ends, whether a test waits for it or not.
///
/// Not Foundation's `Process`: that one hears of an end by a socket, which another program that is
/// started in the same moment inherits, and then waits for that one's end too. Until a child
/// is reaped, Swift Testing sees the end of no exit test and turns in circles.
package final class ChildProgram: Sendable {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) { self.description = description }
    }

    /// How a program ended: its status, or the signal that killed it.
    package struct End: Sendable {
        package let status: Int32
        package let wasKilled: Bool
    }

    /// What was written until the end.
    package struct Outcome: Sendable {
        package let end: End
        package let output: [UInt8]
        package let errors: [UInt8]

        package var status: Int32 { end.status }
        package var text: String { String(decoding: output, as: UTF8.self) }
        package var complaint: String { String(decoding: errors, as: UTF8.self) }
    }

    package let identifier: Int32
    private let reaper: Reaper

    /// Starts it, with this process's environment, folder and streams unless others are given.
    package init(
        _ path: String, _ arguments: [String], environment: [String: String]? = nil,
        folder: String? = nil, input: Int32 = 0, output: Int32 = 1, errors: Int32 = 2
    ) throws {
        let variables = environment ?? ProcessInfo.processInfo.environment
        let words = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
        let settings = unsafe variables.map { unsafe strdup("\($0)=\($1)") } + [nil]
        defer {
            for index in unsafe words.indices { unsafe free(words[index]) }
            for index in unsafe settings.indices { unsafe free(settings[index]) }
        }
        var identifier: Int32 = 0
        let code = unsafe signet_test_spawn(
            &identifier, path, words, settings, folder, [input, output, errors])
        guard code == 0 else {
            throw Failure(description: "\(path) was not started: \(code)")
        }
        self.identifier = identifier
        reaper = Reaper(identifier)
    }

    /// Runs it to its end. Streams go through memory: neither side waits for the other.
    package static func run(
        _ path: String, _ arguments: [String], input: [UInt8] = [],
        environment: [String: String]? = nil, folder: String? = nil
    ) throws -> Outcome {
        let streams = try (0..<3).map { _ in try MemoryFile() }
        try streams[0].handle.write(contentsOf: input)
        try streams[0].handle.seek(toOffset: 0)
        let program = try ChildProgram(
            path, arguments, environment: environment, folder: folder,
            input: streams[0].handle.fileDescriptor, output: streams[1].handle.fileDescriptor,
            errors: streams[2].handle.fileDescriptor)
        return Outcome(
            end: program.wait(), output: try streams[1].content(),
            errors: try streams[2].content())
    }

    package var isRunning: Bool { reaper.isRunning }

    /// Sends it a signal, unless it has ended: its number may then belong to another program.
    package func signal(_ number: Int32) { reaper.signal(number) }

    /// Stops it (SIGSTOP), and returns when all its threads stand or it has ended. The signal goes to
    /// one thread: the others run on until that one has been given a processor.
    package func stop() { reaper.stop() }

    /// Waits for its end.
    @discardableResult
    package func wait() -> End { reaper.wait() }
}

/// A file without a name.
private struct MemoryFile {
    let handle: FileHandle

    init() throws {
        let descriptor = signet_test_memory_file()
        guard descriptor >= 0 else {
            throw ChildProgram.Failure(description: "there is no memory file: \(errno)")
        }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    func content() throws -> [UInt8] {
        try handle.seek(toOffset: 0)
        return try handle.readToEnd().map { [UInt8]($0) } ?? []
    }
}
