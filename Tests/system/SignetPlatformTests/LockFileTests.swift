// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Glibc
import SignetPlatform
import TestSupport
import Testing

struct LockFileTests {
    private let root: VaultFolder
    private let folder: LockFolder
    private let name = String(repeating: "0a", count: 32)

    init() throws {
        root = try VaultFolder()
        folder = LockFolder(environment: ["XDG_STATE_HOME": "\(root.path)/a/state", "HOME": "/"])
    }

    private var locks: String { "\(root.path)/a/state/signet/locks" }
    private var file: String { "\(locks)/\(name)" }

    private func mode(_ path: String) -> UInt32? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? UInt32(status.st_mode) & 0o7777 : nil
    }

    private func failure(_ body: () throws(PrivatePlaceFailure) -> Void) -> PrivatePlaceFailure? {
        do throws(PrivatePlaceFailure) {
            try body()
            return nil
        } catch {
            return error
        }
    }

    @Test("A lock has one holder at a time")
    func oneHolderAtATime() throws {
        let first = try LockFile(named: name, in: folder)
        let second = try LockFile(named: name, in: folder)
        #expect(try first.tryLocking())
        #expect(try first.tryLocking())
        #expect(try !second.tryLocking())
        #expect(try !second.lockBlocking(within: .milliseconds(5)))
        var asked = 0
        #expect(
            try !second.lockBlocking(within: .seconds(3600)) {
                asked += 1
                return asked > 3
            })
        first.release()
        first.release()
        #expect(try !first.tryLocking())
        #expect(try second.lockBlocking(within: .zero))
    }

    @Test("A lock ends with its owner")
    func endsWithItsOwner() throws {
        var first: LockFile? = try LockFile(named: name, in: folder)
        #expect(try first?.tryLocking() == true)
        first = nil
        let second = try LockFile(named: name, in: folder)
        #expect(try second.tryLocking())
    }

    @Test("The folders and the file belong to the user alone")
    func theFoldersAndTheFileAreTheUsersAlone() throws {
        _ = try LockFile(named: name, in: folder)
        for path in [
            "\(root.path)/a", "\(root.path)/a/state", "\(root.path)/a/state/signet", locks,
        ] {
            #expect(mode(path) == 0o700, "\(path)")
        }
        #expect(mode(file) == 0o600)
        // The file stays.
        #expect(mode(file) != nil)
    }

    @Test("The folder follows XDG_STATE_HOME, then HOME, then the account")
    func theFolderIsTheStateFolderOfTheEnvironment() throws {
        #expect(try folder.path() == locks)
        for state in [nil, "", "relative", "~/state"] {
            var environment = ["HOME": "/home/me"]
            environment["XDG_STATE_HOME"] = state
            let path = try LockFolder(environment: environment).path()
            #expect(path == "/home/me/.local/state/signet/locks")
        }
        // Without either it is the account's.
        let account = try LockFolder(environment: ["HOME": "relative"]).path()
        #expect(account.hasPrefix("/"))
        #expect(account.hasSuffix("/.local/state/signet/locks"))
    }

    @Test("The runtime folder is the user's own, else the state folder is taken")
    func runtimeFolder() throws {
        let state = "\(root.path)/a/state"
        let run = "\(root.path)/run"
        func path(_ runtime: String?) throws -> String {
            var environment = ["XDG_STATE_HOME": state]
            environment["XDG_RUNTIME_DIR"] = runtime
            return try LockFolder.ofRuntime(environment: environment).path()
        }
        let without = try path(nil)
        #expect([locks, "/run/user/\(geteuid())/signet/locks"].contains(without))
        for runtime in ["", "relative", run, "/dev/null"] {
            #expect(try path(runtime) == without, "\(runtime)")
        }
        #expect(unsafe mkdir(run, 0o700) == 0)
        #expect(try path(run) == run + "/signet/locks")
        if geteuid() == 0 {
            #expect(unsafe chown(run, 4711, 4711) == 0)
            #expect(try path(run) == without)
            #expect(unsafe chown(run, 0, 0) == 0)
        }
        // As on WSL.
        #expect(unsafe chmod(run, 0o777) == 0)
        #expect(try path(run) == without)
    }

    @Test("A runtime folder that is read-only is left out where the state folder is not")
    func readOnlyRuntimeFolder() throws {
        // Nobody makes a folder there, not even root.
        let runtime = geteuid() == 0 ? "/proc" : "\(root.path)/run"
        #expect(unsafe geteuid() == 0 || mkdir(runtime, 0o500) == 0)
        func pair(state: String) throws -> LockPair {
            let environment = ["XDG_STATE_HOME": state, "XDG_RUNTIME_DIR": runtime]
            return try LockPair(
                named: name, in: .ofRuntime(environment: environment),
                after: LockFolder(environment: environment))
        }
        let service = try pair(state: "\(root.path)/a/state")
        #expect(try service.tryLocking())
        #expect(try !LockFile(named: name, in: folder).tryLocking())
        #expect(throws: PrivatePlaceFailure.self) { try pair(state: "/dev/null") }
    }

    @Test("A pair excludes those who hold either lock, and takes one file only once")
    func pair() throws {
        let new = LockFolder(besideFileAt: root.file())
        let pair = try LockPair(named: name, in: new, after: folder)
        #expect(try pair.tryLocking())
        for place in [new, folder] {
            #expect(try !LockFile(named: name, in: place).tryLocking())
        }
        #expect(mode(root.file() + ".locks") == 0o700)
        pair.release()
        for place in [new, folder] {
            let file = try LockFile(named: name, in: place)
            #expect(try file.tryLocking())
            let other = try LockPair(named: name, in: new, after: folder)
            #expect(try !other.lockBlocking(within: .milliseconds(5), unless: { false }))
            #expect(other.holder?.process == getpid())
            other.release()
            file.release()
        }
        let same = try LockPair(named: name, in: folder, after: folder)
        #expect(try same.tryLocking())
    }

    @Test("A pair leaves out an old place that cannot be made, not one that others may write to")
    func oldPlaces() throws {
        let new = LockFolder(besideFileAt: root.file())
        for state in ["/proc", "/dev/null", "/" + String(repeating: "a", count: 300)] {
            let old = LockFolder(environment: ["XDG_STATE_HOME": state])
            let pair = try LockPair(named: name, in: new, after: old)
            #expect(try pair.tryLocking(), "\(state)")
            // In the new place it stays an error.
            let found = failure { () throws(PrivatePlaceFailure) in
                _ = try LockPair(named: name, in: old, after: new)
            }
            #expect(found != nil, "\(state)")
        }
        _ = try LockFile(named: name, in: folder)
        #expect(unsafe chmod(locks, 0o777) == 0)
        let found = failure { () throws(PrivatePlaceFailure) in
            _ = try LockPair(named: name, in: new, after: folder)
        }
        #expect(found?.isInsecure == true)
    }

    @Test("The kernel's list names holders, and no name reaches a terminal as it is")
    func holders() throws {
        let file = try LockFile(named: name, in: folder)
        #expect(file.holders.isEmpty)
        #expect(try file.tryLocking())
        #expect(file.holders.map(\.process) == [getpid()])
        #expect(file.holders.first?.isStopped == false)
        for (stat, expected, state) in [
            ("12 (a b) T 1 2", "a b", "T"), ("12 (a) S) R (x) t 1", "a) S) R (x", "t"),
            ("12 (\u{1B}[31m\n\u{202E}é) S 1", "?[31m??????", "S"), ("12 () Z", "", "Z"),
        ] {
            let found = LockHolder.parse(stat: Array(stat.utf8))
            #expect(found?.state == state.utf8.first, "\(stat)")
            #expect(found.map { $0.name.utf8.elementsEqual(expected.utf8) } == true, "\(found)")
        }
        for stat in ["", "(", ")", ")(", "12 (a", "12 (a)", "12 (a) "] {
            #expect(LockHolder.parse(stat: Array(stat.utf8)) == nil, "\(stat)")
        }
        let identity = try #require(PrivatePlace.identity(ofFileAt: self.file))
        for list in ["", "\n\n", "1: FLOCK", "1: FLOCK ADVISORY WRITE x 00:00:1 0 EOF"] {
            #expect(LockHolder.processes(holding: identity, in: Array(list.utf8)).isEmpty)
        }
    }

    @Test(
        "A folder that others may write to is refused",
        arguments: ["", "/signet", "/signet/locks"])
    func aFolderThatOthersMayWriteToIsRefused(_ part: String) throws {
        _ = try LockFile(named: name, in: folder)
        let path = "\(root.path)/a/state\(part)"
        #expect(unsafe chmod(path, 0o777) == 0)
        let failure = try #require(
            failure { () throws(PrivatePlaceFailure) in
                _ = try LockFile(named: name, in: folder)
            })
        #expect(failure.isInsecure)
        #expect("\(failure)".contains("chmod "), "\(failure)")
    }

    @Test(
        "A file or folder of another user is refused",
        .enabled(if: geteuid() == 0, "only root gives files away"), arguments: [0o700, 0o755])
    func filesOfOthersAreRefused(_ mode: mode_t) throws {
        _ = try LockFile(named: name, in: folder)
        #expect(unsafe chown(file, 4711, 4711) == 0)
        let ofFile = failure { () throws(PrivatePlaceFailure) in
            _ = try LockFile(named: name, in: folder)
        }
        #expect(ofFile?.kind == .foreignOwner)
        #expect(unsafe chmod(locks, mode) == 0)
        #expect(unsafe chown(locks, 4711, 4711) == 0)
        let ofFolder = failure { () throws(PrivatePlaceFailure) in
            _ = try LockFile(named: name, in: folder)
        }
        #expect(ofFolder?.kind == .insecureFolder)
    }

    @Test(
        "A state folder of another user is refused, and the owner is named",
        .enabled(if: geteuid() == 0, "only root gives folders away"), arguments: [false, true])
    func aPlaceOfAnotherUserIsRefused(_ isThereBefore: Bool) throws {
        if isThereBefore { _ = try LockFile(named: name, in: folder) }
        let state = "\(root.path)/a/state"
        if !isThereBefore {
            #expect(unsafe mkdir("\(root.path)/a", 0o755) == 0 && mkdir(state, 0o755) == 0)
        }
        #expect(unsafe chown(state, 4711, 4711) == 0)
        let failure = failure { () throws(PrivatePlaceFailure) in
            _ = try LockFile(named: name, in: folder)
        }
        #expect(failure?.isInsecure == true)
        #expect(failure?.description.contains("belongs to user 4711") == true)
    }

    @Test("Anything but a private file is refused")
    func anythingButAPrivateFileIsRefused() throws {
        _ = try LockFile(named: name, in: folder)
        let makers: [(PrivatePlaceFailure.Kind, () -> Int32)] = [
            (.openToOthers, { unsafe chmod(file, 0o644) }),
            (.symbolicLink, { unsafe unlink(file) + symlink("\(locks)/other", file) }),
            (.notAFile, { unsafe unlink(file) + mkfifo(file, 0o600) }),
        ]
        for (kind, make) in makers {
            #expect(make() == 0)
            let failure = failure { () throws(PrivatePlaceFailure) in
                _ = try LockFile(named: name, in: folder)
            }
            #expect(failure?.kind == kind)
            #expect(failure?.isInsecure == true)
        }
    }

    @Test(
        "A name that is empty, not hexadecimal or too long is refused",
        arguments: ["", "../x", "a/b", "xyz", String(repeating: "0", count: 65)])
    func aNameIsHexadecimal(_ name: String) {
        let failure = failure { () throws(PrivatePlaceFailure) in
            _ = try LockFile(named: name, in: folder)
        }
        #expect(failure?.kind == .invalidPath)
    }

    @Test("After a lock's file is removed, only the new file counts")
    func aFileThatWasRemovedWhileItWasOpenExcludesNone() throws {
        let waiting = try LockFile(named: name, in: folder)
        #expect(unsafe unlink(file) == 0)
        let other = try LockFile(named: name, in: folder)
        #expect(try other.tryLocking())
        #expect(try !waiting.tryLocking())
        other.release()
        #expect(try waiting.tryLocking())
        #expect(try !LockFile(named: name, in: folder).tryLocking())
    }

    @Test("A file in place of the folder is an error, but not an insecure place")
    func aFolderThatIsAFileIsNoFolder() throws {
        let path = root.file()
        #expect(close(unsafe open(path, O_CREAT | O_WRONLY, 0o600)) == 0)
        let broken = LockFolder(environment: ["XDG_STATE_HOME": path])
        let failure = failure { () throws(PrivatePlaceFailure) in
            _ = try LockFile(named: name, in: broken)
        }
        #expect(failure?.isInsecure == false)
    }
}
