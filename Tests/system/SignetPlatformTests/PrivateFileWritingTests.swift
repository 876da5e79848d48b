// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Glibc
import SignetPlatform
import Testing

@Suite("PrivateFile writes whole files or none")
struct PrivateFileWritingTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(
        "A new file has its content and mode under any umask",
        arguments: [0o600, 0o644, 0o400] as [UInt32])
    func newFile(mode: UInt32) throws {
        try PrivateFile.write([1, 2, 3], to: folder("key"), mode: mode, overwrite: false)
        #expect(try PrivateFile.read(path: folder("key"), maximumByteCount: 3).bytes == [1, 2, 3])
        #expect(try folder.mode("key") == S_IFREG | mode)
        #expect(folder.names == ["key"])
    }

    @Test("A large file arrives whole")
    func largeFile() throws {
        let bytes = (0..<3_000_001).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try PrivateFile.write(bytes, to: folder("large"), overwrite: false)
        #expect(
            try PrivateFile.read(path: folder("large"), maximumByteCount: bytes.count).bytes
                == bytes)
    }

    @Test("An existing file is kept unless it may be replaced")
    func overwriting() throws {
        try PrivateFile.write([1], to: folder("key"), mode: 0o644, overwrite: false)
        let failure = #expect(throws: SystemFailure.self) {
            try PrivateFile.write([2], to: folder("key"), overwrite: false)
        }
        #expect(failure?.errno == EEXIST)
        #expect(failure?.description.contains("key") == true)
        #expect(try PrivateFile.read(path: folder("key"), maximumByteCount: 9).bytes == [1])

        try PrivateFile.write([2], to: folder("key"), overwrite: true)
        #expect(try PrivateFile.read(path: folder("key"), maximumByteCount: 9).bytes == [2])
        #expect(try folder.mode("key") == S_IFREG | 0o600)
        #expect(folder.names == ["key"])
    }

    @Test("Only a regular file is removed, and a free name is left as it is")
    func removing() throws {
        try PrivateFile.write([1], to: folder("file"), overwrite: false)
        #expect(unsafe symlink(folder("file"), folder("link")) == 0)
        #expect(unsafe mkdir(folder("folder"), 0o700) == 0)
        for name in ["link", "folder"] {
            #expect(throws: SystemFailure.self) { try PrivateFile.remove(folder(name)) }
        }
        #expect(folder.names == ["file", "folder", "link"])
        try PrivateFile.remove(folder("file"))
        try PrivateFile.remove(folder("file"))
        #expect(folder.names == ["folder", "link"])
        let failure = #expect(throws: SystemFailure.self) {
            try PrivateFile.remove(folder("absent/file"))
        }
        #expect(failure?.errno == ENOENT)
    }

    @Test(
        "A link is neither followed nor replaced, even a dangling one", arguments: [true, false])
    func links(overwrite: Bool) throws {
        try PrivateFile.write([1], to: folder("target"), overwrite: false)
        #expect(unsafe symlink(folder("target"), folder("link")) == 0)
        #expect(unsafe symlink(folder("nothing"), folder("dangling")) == 0)
        for name in ["link", "dangling"] {
            #expect(throws: SystemFailure.self) {
                try PrivateFile.write([2], to: folder(name), overwrite: overwrite)
            }
        }
        #expect(folder.names == ["dangling", "link", "target"])
        #expect(try PrivateFile.read(path: folder("target"), maximumByteCount: 9).bytes == [1])
    }

    @Test("A pipe, a folder and a device are never replaced")
    func specialFiles() throws {
        #expect(unsafe mkfifo(folder("pipe"), 0o600) == 0)
        for path in [folder("pipe"), folder.path, "/dev/null", "/dev/stdout"] {
            #expect(throws: SystemFailure.self, "\(path)") {
                try PrivateFile.write([1], to: path, overwrite: true)
            }
        }
        #expect(try folder.mode("pipe") & S_IFMT == S_IFIFO)
        #expect(folder.names == ["pipe"])
    }

    @Test(
        "A path that names no file is refused",
        arguments: ["", ".", "..", "/", "a/", "missing-folder/key", "zero\u{0}byte"])
    func badPaths(name: String) {
        let path = name.isEmpty || name == "/" ? name : folder(name)
        #expect(throws: SystemFailure.self) {
            try PrivateFile.write([1], to: path, overwrite: true)
        }
        #expect(folder.names == [])
    }

    @Test("Of several racing writers one wins, with whole content")
    func race() async throws {
        let path = folder("key")
        let winners = await withTaskGroup(of: UInt8?.self) { group in
            for writer in 1...8 as ClosedRange<UInt8> {
                group.addTask {
                    let bytes = [UInt8](repeating: writer, count: 10_000)
                    let outcome = Result {
                        try PrivateFile.write(bytes, to: path, overwrite: false)
                    }
                    return (try? outcome.get()) != nil ? writer : nil
                }
            }
            return await group.reduce(into: [UInt8]()) { winners, winner in
                if let winner { winners.append(winner) }
            }
        }
        #expect(winners.count == 1)
        let bytes = try PrivateFile.read(path: path, maximumByteCount: 10_000).bytes
        #expect(bytes == [UInt8](repeating: winners.first ?? 0, count: 10_000))
        #expect(folder.names == ["key"])
    }
}
