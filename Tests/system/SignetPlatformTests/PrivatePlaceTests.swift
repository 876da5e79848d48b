// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Glibc
import SignetPlatform
import Testing

@Suite("PrivatePlace checks before SQLite opens")
struct PrivatePlaceTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func make(_ name: String, mode: UInt32 = 0o600) throws {
        try PrivateFile.write([1], to: folder(name), mode: mode, overwrite: false)
    }

    /// Expects a refusal with these words in its description.
    private func expect(
        _ kind: PrivatePlaceFailure.Kind, at path: String, saying words: String = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let failure = #expect(throws: PrivatePlaceFailure.self, sourceLocation: sourceLocation) {
            try PrivatePlace.inspect(path: path)
        }
        #expect(failure?.kind == kind, "\(path)", sourceLocation: sourceLocation)
        #expect(
            failure?.description.contains(words) == true, "\(failure?.description ?? "")",
            sourceLocation: sourceLocation)
    }

    @Test(
        "A private file in a private folder is accepted, with or without SQLite's files")
    func accepted() throws {
        let absent = try PrivatePlace.inspect(path: folder("vault"))
        #expect(absent.identity == nil)
        #expect(
            absent.path == folder("vault") && absent.folder == folder.path && absent.name == "vault"
        )

        try make("vault")
        let present = try PrivatePlace.inspect(path: folder("vault"))
        #expect(present.identity != nil)
        #expect(present.identity == PrivatePlace.identity(ofFileAt: folder("vault")))
        for suffix in ["-wal", "-shm", "-journal"] { try make("vault" + suffix) }
        #expect(try PrivatePlace.inspect(path: folder("vault")) == present)

        try make("other")
        #expect(try PrivatePlace.inspect(path: folder("other")).identity != present.identity)
    }

    @Test(
        "Permissions for others are refused, with the command that removes them",
        arguments: [0o644, 0o660, 0o640, 0o604, 0o601, 0o610, 0o666, 0o777] as [UInt32],
        ["", "-wal", "-shm", "-journal"])
    func permissions(mode: UInt32, suffix: String) throws {
        if !suffix.isEmpty { try make("vault") }
        try make("vault" + suffix, mode: mode)
        expect(
            .openToOthers, at: folder("vault"), saying: "chmod 600 '\(folder("vault" + suffix))'")
    }

    @Test(
        "The owner's permission bits do not matter",
        arguments: [0o400, 0o600, 0o700] as [UInt32])
    func ownerBits(mode: UInt32) throws {
        try make("vault", mode: mode)
        #expect(try PrivatePlace.inspect(path: folder("vault")).identity != nil)
    }

    @Test(
        "A symbolic link is refused, even a dangling one",
        arguments: ["", "-wal", "-shm", "-journal"])
    func links(suffix: String) throws {
        if !suffix.isEmpty { try make("vault") }
        try make("target")
        #expect(unsafe symlink(folder("target"), folder("vault" + suffix)) == 0)
        expect(.symbolicLink, at: folder("vault"), saying: "readlink -f")
        #expect(unsafe unlink(folder("target")) == 0)
        expect(.symbolicLink, at: folder("vault"))
    }

    @Test("A folder, a pipe and a socket are refused", arguments: ["", "-wal", "-journal"])
    func specialFiles(suffix: String) throws {
        if !suffix.isEmpty { try make("vault") }
        #expect(unsafe mkdir(folder("vault" + suffix), 0o700) == 0)
        expect(.notAFile, at: folder("vault"))
        #expect(unsafe rmdir(folder("vault" + suffix)) == 0)
        #expect(unsafe mkfifo(folder("vault" + suffix), 0o600) == 0)
        expect(.notAFile, at: folder("vault"))
    }

    @Test("A device is refused") func device() { expect(.notAFile, at: "/dev/null") }

    @Test("A second hard link is refused", arguments: ["", "-wal"])
    func hardLinks(suffix: String) throws {
        try make("vault")
        if !suffix.isEmpty { try make("vault" + suffix) }
        #expect(unsafe link(folder("vault" + suffix), folder("second")) == 0)
        expect(.hardLinked, at: folder("vault"), saying: "-samefile")
    }

    @Test("Another user's file is refused")
    func foreignOwner() throws {
        guard geteuid() == 0 else {
            expect(.foreignOwner, at: "/etc/passwd", saying: "belongs to user 0")
            return
        }
        try make("vault")
        #expect(unsafe chown(folder("vault"), 54_321, 54_321) == 0)
        expect(.foreignOwner, at: folder("vault"), saying: "belongs to user 54321")
        #expect(unsafe chown(folder("vault"), 0, 0) == 0)
        try make("vault-wal")
        #expect(unsafe chown(folder("vault-wal"), 54_321, 54_321) == 0)
        expect(.foreignOwner, at: folder("vault"), saying: "vault-wal")
    }

    @Test(
        "A folder of another user is refused",
        .enabled(if: geteuid() == 0, "only root can give one away"))
    func foreignFolder() throws {
        try make("vault")
        #expect(unsafe chown(folder.path, 54_321, 54_321) == 0)
        expect(.insecureFolder, at: folder("vault"), saying: "belongs to user 54321")
    }

    @Test(
        "A folder that others can write to is refused, unless it is sticky",
        arguments: [0o770, 0o707, 0o777, 0o720, 0o702] as [UInt32])
    func openFolder(mode: UInt32) throws {
        try make("vault")
        #expect(unsafe chmod(folder.path, mode) == 0)
        expect(.insecureFolder, at: folder("vault"), saying: "chmod go-w '\(folder.path)'")
        expect(.insecureFolder, at: folder("absent"))
        #expect(unsafe chmod(folder.path, 0o1000 | mode) == 0)
        #expect(try PrivatePlace.inspect(path: folder("vault")).identity != nil)
    }

    @Test(
        "A parent folder of another user is refused, sticky or not",
        .enabled(if: geteuid() == 0, "only root can give one away"), arguments: [0o755, 0o1777])
    func foreignAncestor(_ mode: mode_t) throws {
        #expect(unsafe mkdir(folder("inner"), 0o700) == 0)
        defer { _ = unsafe rmdir(folder("inner")) }
        #expect(unsafe chmod(folder.path, mode) == 0 && chown(folder.path, 54_321, 54_321) == 0)
        expect(.insecureFolder, at: folder("inner/vault"), saying: "belongs to user 54321")
        #expect(unsafe chown(folder.path, 0, 0) == 0)
        #expect(try PrivatePlace.inspect(path: folder("inner/vault")).folder == folder("inner"))
    }

    @Test(
        "A user namespace without the machine's root is recognised by its map",
        arguments: [
            ("         0          0 4294967295\n", true), ("1000 0 1\n", true),
            ("0 1000 1\n1 0 5\n", true), ("0 1000 1\n1 100000 65536\n", false),
            ("      1000       1000          1\n", false), ("0 0 0\n", false), ("", false),
            ("0\n", true), ("a b c\n", true),
        ])
    func userMaps(_ map: String, _ knowsRoot: Bool) {
        #expect(PrivatePlace.knowsRoot(userMap: Array(map.utf8)) == knowsRoot)
    }

    @Test("A world-writable parent folder is rejected, unless it is sticky")
    func openAncestor() throws {
        #expect(unsafe mkdir(folder("inner"), 0o700) == 0)
        #expect(unsafe chmod(folder.path, 0o777) == 0)
        expect(.insecureFolder, at: folder("inner/vault"), saying: "chmod o-w '\(folder.path)'")
        #expect(unsafe chmod(folder.path, 0o1777) == 0)
        #expect(try PrivatePlace.inspect(path: folder("inner/vault")).folder == folder("inner"))
        // Group members above are the owner's choice: user private groups have 0775 everywhere.
        #expect(unsafe chmod(folder.path, 0o775) == 0)
        #expect(try PrivatePlace.inspect(path: folder("inner/vault")).folder == folder("inner"))
        _ = unsafe rmdir(folder("inner"))
    }

    @Test("Links in the folder's path are resolved")
    func resolvedFolder() throws {
        try make("vault")
        let other = try TemporaryFolder()
        #expect(unsafe symlink(folder.path, other("link")) == 0)
        let location = try PrivatePlace.inspect(path: other("link/vault"))
        #expect(location.path == folder("vault"))
        #expect(
            try PrivatePlace.inspect(path: "\(folder.path)/../\(folder.path.dropFirst(5))/./vault")
                == location)
    }

    @Test(
        "A path that names no file is refused",
        arguments: ["", ".", "..", "/", "vault/", "vault/.", "vault/..", "zero\u{0}byte"])
    func badPaths(name: String) {
        let path = name.isEmpty || name == "/" ? name : folder(name)
        expect(.invalidPath, at: path)
    }

    @Test("A missing folder is named, with the command that creates it")
    func missingFolder() {
        expect(.missingFolder, at: folder("a/vault"), saying: "mkdir -p -m 700 '\(folder("a"))'")
        expect(.missingFolder, at: folder("it's/vault"), saying: "'\(folder("it'\\''s"))'")
    }

    @Test("A file in place of the folder is a system error")
    func fileAsFolder() throws {
        try make("file")
        expect(.system, at: folder("file/vault"))
    }

    @Test("A path longer than SQLite's limit is refused, and the longest is accepted")
    func longPaths() throws {
        // 504 bytes in all: SQLite's limit of 512, less the longest suffix.
        var inner = folder.path
        var made: [String] = []
        while inner.utf8.count < 400 {
            inner += "/" + String(repeating: "d", count: 90)
            try #require(unsafe mkdir(inner, 0o700) == 0)
            made.append(inner)
        }
        defer { for path in made.reversed() { _ = unsafe rmdir(path) } }
        let room = 504 - inner.utf8.count - 1
        #expect(
            try PrivatePlace.inspect(path: "\(inner)/\(String(repeating: "v", count: room))")
                .identity
                == nil)
        expect(
            .invalidPath, at: "\(inner)/\(String(repeating: "v", count: room + 1))",
            saying: "the path, without links, has 505 bytes instead of at most 504")
        expect(
            .invalidPath, at: folder(String(repeating: "v", count: 248)),
            saying: "its name has 248 bytes instead of at most 247")
        expect(
            .invalidPath, at: folder(String(repeating: "long/", count: 2000)) + "vault", saying: "…"
        )
        #expect(
            try PrivatePlace.inspect(path: folder(String(repeating: "v", count: 247))).identity
                == nil
        )
    }

    @Test(
        "Leftover companions of a lost file are refused", arguments: ["-wal", "-shm", "-journal"])
    func leftovers(suffix: String) throws {
        try make("vault" + suffix)
        expect(.leftover, at: folder("vault"), saying: "rm '\(folder("vault" + suffix))'")
    }

    @Test(
        "Network file systems are recognised by their numbers",
        arguments: [
            (0x6969, true), (0xff53_4d42, true), (0xfe53_4d42, true), (0x0102_1997, true),
            (0xef53, false), (0x9123_683e, false), (0x5846_5342, false), (0x0102_1994, false),
            (0x794c_7630, false), (0x2fc1_2fc1, false),
        ] as [(Int64, Bool)])
    func networks(type: Int64, isNetworked: Bool) {
        #expect(PrivatePlace.isNetworked(fileSystemType: type) == isNetworked)
    }

    @Test("No control character of a path reaches the terminal")
    func controlCharacters() throws {
        try make("a\u{1B}[2Jb", mode: 0o644)
        let failure = #expect(throws: PrivatePlaceFailure.self) {
            try PrivatePlace.inspect(path: folder("a\u{1B}[2Jb"))
        }
        #expect(failure?.description.contains("\u{1B}") == false)
    }
}
