// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Glibc
import SignetBase
import SignetPlatform
import Testing

@Suite("FileReader reads in pieces")
struct FileReaderTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("A file is read piece by piece, into the part that is asked for")
    func pieces() throws {
        try PrivateFile.write([1, 2, 3], to: folder("file"), overwrite: false)
        let reader = try FileReader(path: folder("file"))
        #expect(reader.reportedByteCount == 3)
        var buffer = [UInt8](repeating: 0, count: 5)
        #expect(try reader.read(into: &buffer, at: 1..<3) == 2)
        #expect(buffer == [0, 1, 2, 0, 0])
        #expect(try reader.read(into: &buffer, at: 3..<3) == 0)
        // Never past the buffer.
        #expect(try reader.read(into: &buffer, at: 4..<100) == 1)
        #expect(buffer == [0, 1, 2, 0, 3])
        #expect(try reader.read(into: &buffer, at: 0..<5) == 0)
    }

    @Test("A pipe gives what it has, and is waited for even if it does not block")
    func pipe() throws {
        var ends: [Int32] = [0, 0]
        #expect(unsafe Glibc.pipe(&ends) == 0)
        #expect(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0)
        let reader = try FileReader(path: "/dev/fd/\(ends[0])")
        #expect(reader.reportedByteCount == nil)
        let writing = ends[1]
        let hasStarted = SystemThread.start {
            usleep(50_000)
            var byte: UInt8 = 7
            _ = unsafe Glibc.write(writing, &byte, 1)
            close(writing)
        }
        #expect(hasStarted)
        var buffer = [UInt8](repeating: 0, count: 4)
        #expect(try reader.read(into: &buffer, at: 0..<4) == 1)
        #expect(buffer[0] == 7)
        #expect(try reader.read(into: &buffer, at: 0..<4) == 0)
        close(ends[0])
    }

    @Test(
        "What is no file is refused before it is read",
        arguments: ["", ".", "absent", "/dev/fd/2147483647"])
    func refused(name: String) {
        let path = name.hasPrefix("/") || name.isEmpty ? name : folder(name)
        #expect(throws: SystemFailure.self) { _ = try FileReader(path: path) }
    }
}
