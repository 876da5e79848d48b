// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Glibc
import SignetPlatform
import Testing

/// With an unfinished file that has no name, and with one that has.
@Suite("PrivateFileWriter gives a file its name when it is whole", .serialized)
struct PrivateFileWriterTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func writer(
        _ name: String = "file", overwrite: Bool = false, mayBeUnnamed: Bool
    ) throws -> PrivateFileWriter {
        try PrivateFileWriter(
            path: folder(name), overwrite: overwrite, removesOnSignal: true,
            mayBeUnnamed: mayBeUnnamed)
    }

    private func failure(finishing writer: consuming PrivateFileWriter) -> SystemFailure? {
        do throws(SystemFailure) {
            try writer.finish()
            return nil
        } catch {
            return error
        }
    }

    private func content(_ name: String) throws -> [UInt8] {
        try PrivateFile.read(path: folder(name), maximumByteCount: 100).bytes
    }

    @Test("There is no file of the name until it is finished", arguments: [true, false])
    func finished(mayBeUnnamed: Bool) throws {
        let writer = try writer(mayBeUnnamed: mayBeUnnamed)
        try writer.write([1, 2].span)
        #expect(!folder.names.contains("file"))
        // This file system has files without names.
        #expect(folder.names.count == (mayBeUnnamed ? 0 : 1))
        try writer.write([3].span)
        try writer.finish()
        #expect(folder.names == ["file"])
        #expect(try content("file") == [1, 2, 3])
        #expect(try folder.mode("file") == S_IFREG | 0o600)
    }

    @Test("A writer that is given up leaves nothing", arguments: [true, false])
    func givenUp(mayBeUnnamed: Bool) throws {
        do {
            let writer = try writer(mayBeUnnamed: mayBeUnnamed)
            try writer.write([1].span)
        }
        #expect(folder.names == [])
    }

    @Test("A name that was taken meanwhile is kept", arguments: [true, false])
    func taken(mayBeUnnamed: Bool) throws {
        let writer = try writer(mayBeUnnamed: mayBeUnnamed)
        try writer.write([1].span)
        try PrivateFile.write([9], to: folder("file"), overwrite: false)
        #expect(failure(finishing: writer)?.errno == EEXIST)
        #expect(try content("file") == [9])
        #expect(folder.names == ["file"])
    }

    @Test("An existing file is replaced in one step if it may be", arguments: [true, false])
    func replaced(mayBeUnnamed: Bool) throws {
        try PrivateFile.write([9], to: folder("file"), mode: 0o644, overwrite: false)
        #expect(throws: SystemFailure.self) {
            _ = try self.writer(mayBeUnnamed: mayBeUnnamed)
        }
        let writer = try writer(overwrite: true, mayBeUnnamed: mayBeUnnamed)
        try writer.write([1].span)
        #expect(try content("file") == [9])
        try writer.finish()
        #expect(try content("file") == [1])
        #expect(try folder.mode("file") == S_IFREG | 0o600)
        #expect(folder.names == ["file"])
    }

    @Test(
        "A folder that takes the name meanwhile stays, and nothing else", arguments: [true, false])
    func folderInTheWay(mayBeUnnamed: Bool) throws {
        let writer = try writer(overwrite: true, mayBeUnnamed: mayBeUnnamed)
        #expect(unsafe mkdir(folder("file"), 0o700) == 0)
        #expect(failure(finishing: writer) != nil)
        #expect(folder.names == ["file"])
        #expect(unsafe rmdir(folder("file")) == 0)
    }

    @Test("Signals have their default action again afterwards")
    func signals() throws {
        func isDefault() -> Bool {
            var action = sigaction()
            return unsafe sigaction(SIGHUP, nil, &action) == 0
                && unsafeBitCast(action.__sigaction_handler, to: Int.self) == 0
        }
        guard isDefault() else { return }
        let writer = try writer(mayBeUnnamed: false)
        #expect(!isDefault())
        try writer.finish()
        #expect(isDefault())
    }
}
