// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPrograms
import TestSupport
import Testing

/// A file system of its own, of 1 MiB, that is filled to the last byte.
@Suite("A session on a full disk")
struct FullDiskTests {
    /// Runs a program on an empty file system, which is removed with it.
    private static func run(_ words: [String], disk: String) throws -> (Int32, String) {
        let mounting = #"mount -t tmpfs -o size=1m,mode=0700 none "$0" && exec "$@""#
        let outcome = try ChildProgram.run(
            "/usr/bin/unshare",
            (geteuid() == 0 ? ["-m"] : ["-rm"]) + ["sh", "-c", mounting, disk] + words,
            environment: ProcessInfo.processInfo.environment
                .merging(["XDG_STATE_HOME": disk + "/../state"]) { $1 })
        return (outcome.status, outcome.text + outcome.complaint)
    }

    private static let canMount = (try? run(["true"], disk: "/mnt").0) == 0

    @Test(
        "No token is spent, and there is one exchange once there is room",
        .enabled(if: canMount, "no file system may be mounted here"))
    func full() throws {
        let folder = try PrivateFolder()
        let disk = folder.path + "/disk"
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: false)
        let (status, said) = try Self.run(
            [BuiltProgram.path("session-worker"), "full", folder.path, disk], disk: disk)
        #expect(status == 0 && said.hasPrefix("full disk: "), "\(said)")
        print(said, terminator: "")
    }
}
