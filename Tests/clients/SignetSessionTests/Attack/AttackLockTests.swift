// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import SignetPlatform
import Testing

@Suite("Attack: lock files and their folder", .serialized)
struct AttackLockTests {
    private let base: String

    init() throws {
        base = FileManager.default.temporaryDirectory.path + "/attack-lock-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: base, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700]
        )
    }

    /// "locked", "busy" or the failure.
    private func ask(_ environment: [String: String], _ name: String = "ab") -> String {
        do throws(PrivatePlaceFailure) {
            let file = try LockFile(named: name, in: LockFolder(environment: environment))
            defer { file.release() }
            return try file.tryLocking() ? "locked" : "busy"
        } catch { return "\(error.isInsecure ? "insecure" : "unavailable"): \(error)" }
    }

    @Test("L1 unsafe state folders are refused")
    func folders() throws {
        let fileManager = FileManager.default
        let file = base + "/file"
        _ = fileManager.createFile(atPath: file, contents: Data())
        let open = base + "/open"
        _ = unsafe mkdir(open, 0o777)
        _ = unsafe chmod(open, 0o777)
        let openAbove = open + "/mine"
        _ = unsafe mkdir(openAbove, 0o700)
        let safe = base + "/safe"
        _ = unsafe mkdir(safe, 0o700)
        _ = unsafe symlink(safe, base + "/link")
        _ = unsafe symlink(base + "/nowhere", base + "/dangling")
        _ = unsafe symlink(base + "/loop", base + "/loop")
        _ = unsafe mkdir(base + "/foreign", 0o755)
        _ = unsafe chown(base + "/foreign", 12_345, 12_345)
        let isRoot = geteuid() == 0
        for (kind, value, answer) in [
            ("absent", nil, "locked"), ("empty", "", "locked"), ("relative", "state", "locked"),
            ("missing", base + "/a/b/c", "locked"), ("file", file, "unavailable"),
            ("world-writable", open, "insecure"), ("below world-writable", openAbove, "insecure"),
            ("link", base + "/link", "locked"), ("dangling", base + "/dangling", "unavailable"),
            ("loop", base + "/loop", "unavailable"),
            // Only root can give it away before.
            ("foreign", base + "/foreign", isRoot ? "insecure" : "locked"),
            ("proc", "/proc", "unavailable"), ("sys", "/sys", "unavailable"),
            ("dev null", "/dev/null", "unavailable"), ("dots", safe + "/../safe/./", "locked"),
            ("slashes", "/" + safe, "locked"),
            ("long", "/" + String(repeating: "a/", count: 3000), "unavailable"),
            ("deep", base + String(repeating: "/a", count: 150), "unavailable"),
            ("long name", base + "/" + String(repeating: "a", count: 300), "unavailable"),
            ("zero", base + "/z\0y", "unavailable"),
        ] as [(String, String?, String)] {
            var environment = ["HOME": base + "/home"]
            environment["XDG_STATE_HOME"] = value
            #expect(ask(environment).hasPrefix(answer), "\(kind): \(ask(environment))")
        }
    }

    @Test("L2 anything in place of the lock file is refused")
    func files() throws {
        let environment = ["XDG_STATE_HOME": base]
        #expect(ask(environment) == "locked")
        let folder = base + "/signet/locks/"
        _ = unsafe symlink("/etc/passwd", folder + "01")
        _ = unsafe mkdir(folder + "02", 0o700)
        _ = unsafe mkfifo(folder + "03", 0o600)
        _ = FileManager.default.createFile(atPath: folder + "04", contents: Data())
        _ = unsafe chmod(folder + "04", 0o666)
        _ = FileManager.default.createFile(atPath: folder + "05", contents: Data())
        _ = unsafe chown(folder + "05", 12_345, 12_345)
        for (name, answer) in [
            ("01", "insecure"), ("02", "unavailable"), ("03", "insecure"), ("04", "insecure"),
            ("05", geteuid() == 0 ? "insecure" : "locked"),
        ] {
            #expect(ask(environment, name).hasPrefix(answer), "\(name): \(ask(environment, name))")
        }
    }

    @Test("L3 thousands of lock files work, and one removed while held still excludes")
    func many() throws {
        let folder = LockFolder(environment: ["XDG_STATE_HOME": base])
        for number in 0..<5000 {
            let file = try LockFile(named: String(number, radix: 16), in: folder)
            #expect(try file.tryLocking())
            file.release()
        }
        let first = try LockFile(named: "aa", in: folder)
        let second = try LockFile(named: "aa", in: folder)
        #expect(try first.tryLocking() && !second.tryLocking())
        _ = unsafe unlink(base + "/signet/locks/aa")
        let third = try LockFile(named: "aa", in: folder)
        // A removed file excludes no one any more, as the documentation says.
        #expect(try third.tryLocking())
        first.release()
        #expect(try !second.tryLocking(), "it asks for the file that has the name now")
        third.release()
        #expect(try second.tryLocking())
    }
}
