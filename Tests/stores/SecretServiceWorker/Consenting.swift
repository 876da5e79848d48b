// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetSecretService
import SignetVault

/// A KeePassXC that asks a person before it gives an item to a program that did not make it ("confirm
/// when passwords are retrieved by clients").
enum Consenting {
    /// The group that KeePassXC shows to other programs is noted in the database itself.
    private static let database = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <KeePassFile><Meta><Generator>Signet</Generator><DatabaseName>t</DatabaseName><CustomData>
        <Item><Key>FDO_SECRETS_EXPOSED_GROUP</Key>
        <Value>{00112233-4455-6677-8899-aabbccddeeff}</Value></Item></CustomData></Meta><Root><Group>
        <UUID>ABEiM0RVZneImaq7zN3u/w==</UUID><Name>Root</Name></Group><DeletedObjects/></Root>
        </KeePassFile>
        """
    private static let settings = """
        [General]
        ConfigVersion=2
        [FdoSecrets]
        Enabled=true
        ConfirmAccessItem=true
        ShowNotification=false
        """

    static func run() async throws {
        let home = ProcessInfo.processInfo.environment["HOME"] ?? ""
        let folder = home + "/.config/keepassxc"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try Data(settings.utf8).write(to: URL(fileURLWithPath: folder + "/keepassxc.ini"))
        try Data(database.utf8).write(to: URL(fileURLWithPath: home + "/t.xml"))
        let made = try start(
            ["keepassxc-cli", "import", "-p", home + "/t.xml", home + "/t.kdbx"],
            input: "password\npassword\n")
        made.waitUntilExit()
        try check(made.terminationStatus == 0, "no database was made")
        let service = try start(["keepassxc", "--pw-stdin", home + "/t.kdbx"], input: "password\n")
        // It ends by no other signal while it asks.
        defer { kill(service.processIdentifier, SIGKILL) }
        // Not asked through libsecret before it is there: see Documentation/LIMITS.md.
        while try !hasOpenCollection() {
            try check(service.isRunning, "KeePassXC ended")
            try await pause(0.1)
        }
        let vault = home + "/vault"
        _ = try FileVault.create(at: vault, with: SecretServiceUnlock(deadlineSeconds: 600))
        let own = try makeStore("default")
        try await own.set(SecretValue("x"), for: Locking.key, details: nil)
        try checkEqual(try await own.entry(Locking.key)?.value, SecretValue("x"))
        // What this program made it may read; another one may not.
        try Child.run(["consent-client"])
    }

    static func client() async throws {
        let store = try makeStore("default")
        try check(try await !store.isLocked(), "the keyring is locked")
        let calls: [(String, () async throws -> Void)] = [
            ("entry", { _ = try await store.entry(Locking.key) }),
            ("list", { _ = try await store.allItems() }),
            ("remove", { _ = try await store.remove(Locking.key) }),
            ("set", { try await store.set(SecretValue("y"), for: Locking.key, details: nil) }),
            (
                "vault",
                {
                    let home = ProcessInfo.processInfo.environment["HOME"] ?? ""
                    let vault = try FileVault.open(at: home + "/vault")
                    try vault.unlock(with: SecretServiceUnlock(deadlineSeconds: 600))
                }
            ),
        ]
        for (name, call) in calls {
            let message = try await failure(call)
            try check(
                message.hasPrefix("The keyring is open, but it asks a person"),
                "\(name): \(message)")
            print("\(name): \(message)")
        }
    }

    /// The message of an error that must be `locked`.
    private static func failure(_ body: () async throws -> Void) async throws -> String {
        do {
            try await body()
        } catch let error as StoreError where error.code == .locked {
            return error.message
        }
        throw Failed(description: "nothing was locked")
    }

    private static func hasOpenCollection() throws -> Bool {
        let asking = Process()
        asking.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        asking.arguments = [
            "dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.secrets",
            "/org/freedesktop/secrets/aliases/default", "org.freedesktop.DBus.Properties.Get",
            "string:org.freedesktop.Secret.Collection", "string:Locked",
        ]
        let output = Pipe()
        asking.standardOutput = output
        asking.standardError = FileHandle.nullDevice
        try asking.run()
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        asking.waitUntilExit()
        return text.contains("boolean false")
    }

    private static func start(_ words: [String], input text: String) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        process.environment = ProcessInfo.processInfo.environment
            .merging(["QT_QPA_PLATFORM": "offscreen"]) { $1 }
        let input = Pipe()
        process.standardInput = input
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try input.fileHandleForWriting.close()
        return process
    }
}
