// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Glibc
import SignetPlatform
import Testing

@Suite("PrivateFile reads with a limit")
struct PrivateFileReadingTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("The limit is exact", arguments: [0, 1, 4095, 4096, 4097, 8192, 100_000])
    func limit(count: Int) throws {
        let bytes = [UInt8](repeating: 7, count: count)
        try PrivateFile.write(bytes, to: folder("file"), overwrite: false)
        #expect(try PrivateFile.read(path: folder("file"), maximumByteCount: count).bytes == bytes)
        guard count > 0 else { return }
        let failure = #expect(throws: SystemFailure.self) {
            try PrivateFile.read(path: folder("file"), maximumByteCount: count - 1)
        }
        #expect(failure?.errno == EFBIG)
    }

    @Test("An endless device ends at the limit")
    func endlessDevice() {
        let failure = #expect(throws: SystemFailure.self) {
            try PrivateFile.read(path: "/dev/zero", maximumByteCount: 100_000)
        }
        #expect(failure?.errno == EFBIG)
    }

    @Test("A file of unknown size is read whole")
    func procFile() throws {
        let contents = try PrivateFile.read(path: "/proc/self/status", maximumByteCount: 100_000)
        #expect(contents.bytes.count > 100)
    }

    @Test("Folders, missing files, empty paths and zero bytes are refused")
    func refusals() {
        for (path, errno) in [
            (folder.path, EISDIR), (folder("missing"), ENOENT), ("", ENOENT),
            ("/dev/null\u{0}x", EINVAL),
        ] {
            let failure = #expect(throws: SystemFailure.self) {
                try PrivateFile.read(path: path, maximumByteCount: 10)
            }
            #expect(failure?.errno == errno, "\(path)")
        }
    }

    @Test("Links are followed, unless only a regular file will do")
    func links() throws {
        try PrivateFile.write([1], to: folder("target"), overwrite: false)
        #expect(unsafe symlink(folder("target"), folder("link")) == 0)
        #expect(try PrivateFile.read(path: folder("link"), maximumByteCount: 9).bytes == [1])
        let failure = #expect(throws: SystemFailure.self) {
            try PrivateFile.readRegular(path: folder("link"), maximumByteCount: 9)
        }
        #expect(failure?.errno == ELOOP)
    }

    @Test("Where only a regular file will do, nothing else is read or waited for")
    func regular() throws {
        try PrivateFile.write([1], to: folder("file"), overwrite: false)
        let read = try PrivateFile.readRegular(path: folder("file"), maximumByteCount: 9)
        #expect(read?.bytes == [1] && read?.permissions == 0o600)
        #expect(unsafe mkfifo(folder("pipe"), 0o600) == 0)
        for path in [folder("pipe"), folder(""), "/dev/zero", "/dev/null", "/dev/ptmx"] {
            #expect(try PrivateFile.readRegular(path: path, maximumByteCount: 9) == nil, "\(path)")
        }
        let failure = #expect(throws: SystemFailure.self) {
            try PrivateFile.readRegular(path: folder("absent"), maximumByteCount: 9)
        }
        #expect(failure?.number.isMissing == true)
    }

    @Test(
        "A file that others can read or write is reported as such",
        arguments: [
            (0o600, false), (0o400, false), (0o700, false), (0o640, true), (0o604, true),
            (0o620, true),
            (0o602, true),
        ] as [(UInt32, Bool)])
    func openToOthers(mode: UInt32, isOpen: Bool) throws {
        try PrivateFile.write([1], to: folder("key"), mode: mode, overwrite: false)
        let contents = try PrivateFile.read(path: folder("key"), maximumByteCount: 9)
        #expect(contents.permissions == mode)
        #expect(contents.isOpenToOthers == isOpen)
    }

    @Test("A pipe is read to its end by number or name, and the descriptor stays open")
    func pipes() throws {
        for name in ["/dev/fd/", "/proc/self/fd/"] {
            var ends: [Int32] = [-1, -1]
            try #require(unsafe pipe(&ends) == 0)
            let sent: [UInt8] = Array("through a pipe".utf8)
            #expect(unsafe write(ends[1], sent, sent.count) == sent.count)
            close(ends[1])
            let contents = try PrivateFile.read(path: "\(name)\(ends[0])", maximumByteCount: 100)
            #expect(contents.bytes == sent)
            #expect(contents.permissions == nil)
            #expect(!contents.isOpenToOthers)
            #expect(close(ends[0]) == 0)
        }
    }

    @Test("A pipe that holds more than the limit is refused")
    func longPipe() throws {
        var ends: [Int32] = [-1, -1]
        try #require(unsafe pipe(&ends) == 0)
        defer { close(ends[0]) }
        let sent = [UInt8](repeating: 1, count: 10_000)
        #expect(unsafe write(ends[1], sent, sent.count) == sent.count)
        close(ends[1])
        let failure = #expect(throws: SystemFailure.self) {
            try PrivateFile.read(path: "/dev/fd/\(ends[0])", maximumByteCount: 9_999)
        }
        #expect(failure?.errno == EFBIG)
    }

    @Test("A descriptor that is not open is refused", arguments: [9_998, 9_999] as [Int32])
    func closedDescriptor(number: Int32) {
        let failure = #expect(throws: SystemFailure.self) {
            try PrivateFile.read(path: "/dev/fd/\(number)", maximumByteCount: 10)
        }
        #expect(failure?.errno == EBADF)
    }

    @Test(
        "A name under /dev/fd that is not a number is an ordinary path",
        arguments: ["x", "99999999999", "-1", ""])
    func descriptorNames(name: String) {
        #expect(throws: SystemFailure.self) {
            try PrivateFile.read(path: "/dev/fd/\(name)", maximumByteCount: 10)
        }
    }

    @Test(
        "Reading into wiped memory gives the same bytes, permissions and refusals",
        arguments: [0, 1, 46, 47])
    func readSecret(count: Int) throws {
        let path = folder("key")
        let bytes = [UInt8](repeating: 7, count: count)
        try PrivateFile.write(bytes, to: path, mode: 0o640, overwrite: false)
        do throws(SystemFailure) {
            let contents = try PrivateFile.readSecret(path: path, maximumByteCount: 46)
            let read = contents.bytes.withBytes { span in span.indices.map { span[$0] } }
            #expect(read == bytes)
            #expect(contents.permissions == 0o640)
            let isOpen = contents.isOpenToOthers
            #expect(isOpen)
            #expect(count <= 46)
        } catch {
            #expect(error.errno == EFBIG && count > 46)
        }
    }
}
