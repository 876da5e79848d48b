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
        do throws(VaultPlaceFailure) {
            let file = try LockFile(named: name, in: LockFolder(environment: environment))
            defer { file.release() }
            return try file.tryLocking() ? "locked" : "busy"
        } catch { return "\(error.isInsecure ? "insecure" : "unavailable"): \(error)" }
    }

    @Test("L1 state folders of every kind")
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
        for (kind, value) in [
            ("absent", nil), ("empty", ""), ("relative", "state"), ("missing", base + "/a/b/c"),
            ("file", file), ("world-writable", open), ("below world-writable", openAbove),
            ("link", base + "/link"), ("dangling", base + "/dangling"), ("loop", base + "/loop"),
            ("foreign", base + "/foreign"), ("proc", "/proc"), ("sys", "/sys"),
            ("dev null", "/dev/null"), ("dots", safe + "/../safe/./"), ("slashes", "/" + safe),
            ("long", "/" + String(repeating: "a/", count: 3000)),
            ("deep", base + String(repeating: "/a", count: 150)),
            ("long name", base + "/" + String(repeating: "a", count: 300)),
            ("zero", base + "/z\0y"),
        ] as [(String, String?)] {
            var environment = ["HOME": base + "/home"]
            environment["XDG_STATE_HOME"] = value
            print("L1 \(kind):", ask(environment).prefix(260))
        }
    }

    @Test("L2 what stands where the lock file should")
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
        for name in ["01", "02", "03", "04", "05"] {
            print("L2 \(name):", ask(environment, name).prefix(200))
        }
    }

    @Test("L3 thousands of files, and one removed while it is held")
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
        print("L3 removed while held: second in:", try third.tryLocking())
        first.release()
        print("L3 the one that waited:", try second.tryLocking())
    }
}
