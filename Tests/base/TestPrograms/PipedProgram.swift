// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import Foundation
import Glibc

/// A program whose standard input is written and whose standard output is read as it runs.
package final class PipedProgram: Sendable {
    package let input: FileHandle
    package let output: FileHandle
    private let program: ChildProgram

    package init(
        _ path: String, _ arguments: [String], environment: [String: String]? = nil
    ) throws {
        let (sent, received) = (try Ends(), try Ends())
        defer { for descriptor in [sent.reading, received.writing] { close(descriptor) } }
        input = FileHandle(fileDescriptor: sent.writing, closeOnDealloc: true)
        output = FileHandle(fileDescriptor: received.reading, closeOnDealloc: true)
        program = try ChildProgram(
            path, arguments, environment: environment, input: sent.reading,
            output: received.writing)
    }

    /// A pair of sockets, closed in all other programs from the beginning.
    private struct Ends {
        let reading: Int32
        let writing: Int32

        init() throws {
            var ends: [Int32] = [-1, -1]
            let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue
            guard unsafe socketpair(AF_UNIX, Int32(kind), 0, &ends) == 0 else {
                throw ChildProgram.Failure(description: "there is no pair of sockets: \(errno)")
            }
            (reading, writing) = (ends[0], ends[1])
        }
    }

    package var identifier: Int32 { program.identifier }
    package var isRunning: Bool { program.isRunning }

    /// Reads what it writes, to the end.
    package func read(_ hear: (Data) -> Void) {
        // Not read(upToCount:), which waits for so many bytes.
        while case let more = output.availableData, !more.isEmpty { hear(more) }
    }

    package func signal(_ number: Int32) { program.signal(number) }

    /// Stops it, and returns when all its threads stand.
    package func stop() { program.stop() }

    @discardableResult
    package func wait() -> ChildProgram.End { program.wait() }
}
