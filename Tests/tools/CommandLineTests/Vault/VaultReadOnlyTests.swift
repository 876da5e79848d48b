// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJOSE
import Testing

@Suite("signet vault on read-only media")
struct VaultReadOnlyTests {
    private static let reads = [
        "list", "get --service s --account a", "search a", "slot list", "verify",
    ]

    @Test("--read-only reads, makes no file next to the vault, and refuses to write")
    func option() throws {
        let folder = try CommandFolder()
        try folder.makeVault()
        try folder.keep("value", "s", "a")
        let before = try folder.read("vault.signet")
        for line in Self.reads {
            let outcome = try folder.vault(line + " --read-only")
            #expect(outcome.isGood, "\(line): \(outcome)")
        }
        let export = try folder.vault("export --read-only --output e.signet --new-key-file e.key")
        #expect(export.status == 0, "\(export)")
        let salvage = try folder.vault("salvage --read-only --output s.signet --new-key-file e.key")
        #expect(salvage.text.contains("saved 1 item"), "\(salvage)")
        let set = try folder.vault(
            ["set", "--service", "s", "--account", "a", "--read-only"], input: Array("new".utf8))
        #expect(set.failed(3, "readOnly"), "\(set)")
        #expect(
            try folder.vault("remove --service s --account a --read-only").failed(3, "readOnly"))
        #expect(try folder.read("vault.signet") == before)
        #expect(
            try folder.names() == ["e.key", "e.signet", "s.signet", "vault.key", "vault.signet"])
        let keyring = CommandFolder.inProcess("vault list --backend secret-service --read-only")
        #expect(keyring.failed(2, "usage"), "\(keyring)")
    }

    /// Whether this process may mount: root, where namespaces are allowed.
    private static let mounts: Bool = {
        let outcome = try? CommandFolder().bash("mkdir m && unshare -m mount --bind m m")
        return outcome?.status == 0
    }()

    @Test(
        "A file system that is mounted read-only is read without any option",
        .enabled(if: mounts, "mounting is not allowed here"))
    func mount() throws {
        let folder = try CommandFolder()
        try folder.makeVault()
        try folder.keep("value", "s", "a")
        #expect(try folder.bash("mkdir m && chmod 700 m && mv vault.signet m/").status == 0)
        func mounted(_ line: String) throws -> Outcome {
            try folder.bash(
                "unshare -m bash -c 'mount --bind m m && mount -o remount,ro,bind m && ! touch m/x 2>&- && exec $SIGNET vault \(line) --vault m/vault.signet --key-file vault.key'"
            )
        }
        for line in Self.reads + ["export --output e.signet --new-key-file e.key"] {
            let outcome = try mounted(line)
            #expect(outcome.status == 0, "\(line): \(outcome)")
        }
        #expect(try mounted("get --service s --account a").text == "value")
        let salvage = try mounted("salvage --output s.signet --new-key-file e.key")
        #expect(salvage.text.contains("saved 1 item"), "\(salvage)")
        #expect(try mounted("remove --service s --account a").failed(3, "readOnly"))
        #expect(try mounted("rotate data").failed(3, "readOnly"))
        #expect(try folder.bash("ls -A m").text == "vault.signet\n")
        // A log as a killed process leaves it: its content must not be dropped silently.
        #expect(try folder.bash("umask 077; printf x > m/vault.signet-wal").status == 0)
        let log = try mounted("list")
        #expect(log.failed(3, "unavailable") && log.errors.contains("(-wal)"), "\(log)")
        #expect(
            try mounted("salvage --output t.signet --new-key-file e.key").failed(3, "unavailable"))
    }
}
