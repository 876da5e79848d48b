// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Glibc
import SignetPlatform
import Testing

@Suite("PrivatePlace creates whole files or none")
struct PrivatePlaceMakingTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ bytes: [UInt8], to path: String) throws {
        try PrivateFile.write(bytes, to: path, overwrite: true)
    }

    @Test("A published file has its content, mode, one name and no leftovers")
    func publishing() throws {
        let place = try PrivatePlace.inspect(path: folder("vault"))
        let temporary = try PrivatePlace.createTemporary(for: place)
        #expect(folder.names.count == 1 && folder.names != ["vault"])
        var status = stat()
        #expect(unsafe lstat(temporary, &status) == 0)
        #expect(status.st_mode == S_IFREG | 0o600 && status.st_size == 0)

        try write([1, 2], to: temporary)
        try PrivatePlace.publish(temporary: temporary, as: place)
        #expect(folder.names == ["vault"])
        #expect(try PrivateFile.read(path: folder("vault"), maximumByteCount: 9).bytes == [1, 2])
        #expect(try PrivatePlace.inspect(path: folder("vault")).identity != nil)
    }

    @Test("An existing file keeps its name, and the temporary file stays until removed")
    func taken() throws {
        let place = try PrivatePlace.inspect(path: folder("vault"))
        let temporary = try PrivatePlace.createTemporary(for: place)
        try write([1], to: folder("vault"))
        let failure = #expect(throws: PrivatePlaceFailure.self) {
            try PrivatePlace.publish(temporary: temporary, as: place)
        }
        #expect(failure?.kind == .taken)
        #expect(try PrivateFile.read(path: folder("vault"), maximumByteCount: 9).bytes == [1])
        #expect(folder.names.count == 2)
        try write([], to: temporary + "-wal")
        try write([], to: temporary + "-shm")
        PrivatePlace.removeTemporary(temporary)
        PrivatePlace.removeTemporary(temporary)
        #expect(folder.names == ["vault"])
    }

    @Test("A dangling link also occupies its name")
    func takenByLink() throws {
        let place = try PrivatePlace.inspect(path: folder("vault"))
        let temporary = try PrivatePlace.createTemporary(for: place)
        #expect(unsafe symlink(folder("nothing"), folder("vault")) == 0)
        let failure = #expect(throws: PrivatePlaceFailure.self) {
            try PrivatePlace.publish(temporary: temporary, as: place)
        }
        #expect(failure?.kind == .taken)
        PrivatePlace.removeTemporary(temporary)
        #expect(folder.names == ["vault"])
    }

    @Test("A leftover log of another file is refused", arguments: ["-wal", "-shm", "-journal"])
    func leftovers(suffix: String) throws {
        let place = try PrivatePlace.inspect(path: folder("vault"))
        let temporary = try PrivatePlace.createTemporary(for: place)
        try write([1], to: folder("vault" + suffix))
        let failure = #expect(throws: PrivatePlaceFailure.self) {
            try PrivatePlace.publish(temporary: temporary, as: place)
        }
        #expect(failure?.kind == .leftover)
        PrivatePlace.removeTemporary(temporary)
        #expect(folder.names == ["vault" + suffix])
    }

    /// The loser of the race was told to remove the winner's log, which held its newest items.
    @Test(
        "The log of a vault that another process just made is not a leftover",
        arguments: ["-wal", "-shm"])
    func takenWithItsLog(suffix: String) throws {
        let place = try PrivatePlace.inspect(path: folder("vault"))
        let temporary = try PrivatePlace.createTemporary(for: place)
        try write([1], to: folder("vault"))
        try write([1], to: folder("vault" + suffix))
        let failure = #expect(throws: PrivatePlaceFailure.self) {
            try PrivatePlace.publish(temporary: temporary, as: place)
        }
        #expect(failure?.kind == .taken)
        PrivatePlace.removeTemporary(temporary)
        #expect(Set(folder.names) == ["vault", "vault" + suffix])
    }

    @Test("An unclosed database is not published", arguments: ["-wal", "-journal"])
    func unfinished(suffix: String) throws {
        let place = try PrivatePlace.inspect(path: folder("vault"))
        let temporary = try PrivatePlace.createTemporary(for: place)
        try write([1], to: temporary + suffix)
        let failure = #expect(throws: PrivatePlaceFailure.self) {
            try PrivatePlace.publish(temporary: temporary, as: place)
        }
        #expect(failure?.kind == .system)
        PrivatePlace.removeTemporary(temporary)
        #expect(folder.names == [])
    }

    @Test("A missing temporary file is an error and creates nothing")
    func missing() throws {
        let place = try PrivatePlace.inspect(path: folder("vault"))
        let failure = #expect(throws: PrivatePlaceFailure.self) {
            try PrivatePlace.publish(temporary: folder("gone"), as: place)
        }
        #expect(failure?.kind == .system && failure?.errno == ENOENT)
        #expect(folder.names == [])
    }

    @Test("A missing folder is an error")
    func missingFolder() throws {
        let gone = try TemporaryFolder()
        let place = try PrivatePlace.inspect(path: gone("vault"))
        #expect(unsafe rmdir(gone.path) == 0)
        let failure = #expect(throws: PrivatePlaceFailure.self) {
            try PrivatePlace.createTemporary(for: place)
        }
        #expect(failure?.kind == .system && failure?.errno == ENOENT)
    }

    @Test("Of several makers that race for a name, one wins")
    func race() async throws {
        let place = try PrivatePlace.inspect(path: folder("vault"))
        let winners = await withTaskGroup(of: UInt8?.self) { group in
            for maker in 1...8 as ClosedRange<UInt8> {
                group.addTask {
                    do {
                        let temporary = try PrivatePlace.createTemporary(for: place)
                        defer { PrivatePlace.removeTemporary(temporary) }
                        try PrivateFile.write([maker], to: temporary, overwrite: true)
                        try PrivatePlace.publish(temporary: temporary, as: place)
                        return maker
                    } catch {
                        return nil
                    }
                }
            }
            return await group.reduce(into: [UInt8]()) { winners, winner in
                if let winner { winners.append(winner) }
            }
        }
        #expect(winners.count == 1)
        #expect(try PrivateFile.read(path: folder("vault"), maximumByteCount: 9).bytes == winners)
        #expect(folder.names == ["vault"])
    }
}
