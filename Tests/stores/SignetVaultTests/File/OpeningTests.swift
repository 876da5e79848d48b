// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetVault
import TestSupport
import Testing

@Suite("Opening a vault that may not exist yet, and its default place")
struct OpeningTests {
    let folder: VaultFolder
    let key = ItemKey("a")

    init() throws { folder = try VaultFolder() }

    @Test(
        "Eight processes that open or create a vault all get the same one",
        .timeLimit(.minutes(20)))
    func ofEightProcessesAllOpenOneVault() throws {
        let keyFile = folder.file("key")
        let method = try KeyFileUnlock.create(at: keyFile)
        for round in 0..<5 {
            let path = folder.file("vault \(round)")
            let workers = try (0..<8).map {
                try Worker(["open-or-create", path, keyFile, "\($0)"])
            }
            let lines = workers.flatMap { $0.remainingLines() }
            #expect(lines.count == 8 && Set(lines).count == 1, "round \(round): \(lines)")
            let vault = try FileVault.openOrCreate(at: path, with: method)
            #expect(lines.first == "vault \(vault.id)")
            #expect(try vault.read { try $0.allItems() }.count == 8, "round \(round)")
            #expect(try vault.verify().isClean)
            vault.close()
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(left.allSatisfy { !$0.hasPrefix(".signet-") }, "\(left)")
    }

    @Test("Only missing files are created, and no existing one is replaced")
    func onlyMissingFilesAreMade() throws {
        let path = folder.file()
        let vault = try FileVault.openOrCreate(at: path, with: VaultFolder.key(1))
        try vault.write { try $0.set("v", for: key) }
        vault.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(throws: StoreError(.authenticationFailure, "")) {
            try FileVault.openOrCreate(at: path, with: VaultFolder.key(2))
        }
        #expect(throws: StoreError(.missingKeyFile, "")) {
            try FileVault.openOrCreate(at: path, with: KeyFileUnlock(path: folder.file("key")))
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        #expect(!FileManager.default.fileExists(atPath: folder.file("key")))
        let again = try FileVault.openOrCreate(at: path, with: VaultFolder.key(1))
        #expect(try again.read { try $0.get(key)?.string() } == "v")
        try Data("no vault".utf8).write(to: URL(fileURLWithPath: folder.file("other")))
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: folder.file("other"))
        #expect(throws: StoreError(.notAVault, "")) {
            try FileVault.openOrCreate(at: folder.file("other"), with: VaultFolder.key(1))
        }
    }

    @Test("Nothing is created without a key, read-only, or for options that name a vault")
    func nothingIsMadeWithoutAKeyOrForOptionsThatNameAVault() throws {
        #expect(throws: StoreError(.missingKeyFile, "")) {
            try FileVault.openOrCreate(
                at: folder.file(), with: KeyFileUnlock(path: folder.file("key")))
        }
        var options = VaultOptions.longWaiting
        options.expectedID = [UInt8](repeating: 1, count: 16)
        #expect(throws: StoreError(.unavailable, "")) {
            try FileVault.openOrCreate(
                at: folder.file(), with: VaultFolder.key(1), options: options)
        }
        options.expectedID = nil
        options.isReadOnly = true
        #expect(throws: StoreError(.unavailable, "")) {
            try FileVault.openOrCreate(
                at: folder.file(), with: VaultFolder.key(1), options: options)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test("The error for a missing key file says which, and what to do")
    func aMissingKeyFileSaysWhichAndWhatToDo() throws {
        let path = folder.file("no key")
        let error = #expect(throws: StoreError.self) {
            try KeyFileUnlock(path: path).newSlot(id: [], vaultID: [])
        }
        #expect(error?.code.rawValue == "missingKeyFile")
        #expect(error?.message.contains("'\(path)'") == true)
        #expect(error?.message.contains("Put it back") == true)
        #expect(error?.kind == .locked)
    }

    /// The home of this user's account, whatever the environment says.
    private static let accountHome: String = {
        let users = (try? String(contentsOfFile: "/etc/passwd", encoding: .utf8)) ?? ""
        for line in users.split(separator: "\n") {
            let fields = line.split(separator: ":", omittingEmptySubsequences: false)
            if fields.count == 7, Int(fields[2]) == Int(geteuid()) { return String(fields[5]) }
        }
        return ""
    }()

    struct Place: CustomTestStringConvertible, Sendable {
        let environment: [String: String]
        let path: String?
        var testDescription: String { "\(environment)" }
    }

    @Test(
        "The standard place follows XDG_DATA_HOME, then HOME, then the account",
        arguments: [
            Place(
                environment: ["HOME": "/h"], path: "/h/.local/share/org.example.mail/vault.signet"),
            Place(
                environment: ["HOME": "/h", "XDG_DATA_HOME": "/d"],
                path: "/d/org.example.mail/vault.signet"),
            Place(environment: ["XDG_DATA_HOME": "/d"], path: "/d/org.example.mail/vault.signet"),
            Place(
                environment: ["HOME": "/"], path: "/.local/share/org.example.mail/vault.signet"),
            Place(
                environment: ["HOME": "/h", "XDG_DATA_HOME": "d"],
                path: "/h/.local/share/org.example.mail/vault.signet"),
            Place(
                environment: ["HOME": "/h", "XDG_DATA_HOME": ""],
                path: "/h/.local/share/org.example.mail/vault.signet"),
            Place(
                environment: ["HOME": "h", "XDG_DATA_HOME": "../d"],
                path: accountHome + "/.local/share/org.example.mail/vault.signet"),
            Place(
                environment: [:], path: accountHome + "/.local/share/org.example.mail/vault.signet"),
        ])
    func theStandardPlaceIsTheDesktopsOne(_ place: Place) {
        #expect(
            place.path
                == (try? FileVault.standardPath(
                    application: "org.example.mail", environment: place.environment)))
    }

    @Test(
        "An application's name that is not a plain file name is refused",
        arguments: [
            "", ".", "..", "a/b", "/a", "a/../b", "a..b", ".hidden", "a\u{0}", "a\nb", "a\u{7f}",
            "a\u{85}b",
            String(repeating: "a", count: 129),
        ])
    func aNameThatIsAPathIsRefused(_ name: String) {
        #expect(throws: StoreError(.invalidParameter, "")) {
            try FileVault.standardPath(application: name)
        }
    }

    @Test("The two folders of a program are made for their owner alone, or it is said why not")
    func standardFolders() throws {
        let folders = try StandardFolders(
            application: "mail",
            environment: [
                "XDG_DATA_HOME": folder.file("d"), "XDG_STATE_HOME": folder.file("s/t"),
            ])
        #expect(folders.data == folder.file("d/mail") && folders.state == folder.file("s/t/mail"))
        try folders.make()
        for made in ["d", "d/mail", "s", "s/t", "s/t/mail"] {
            let mode = try FileManager.default.attributesOfItem(atPath: folder.file(made))[
                .posixPermissions]
            #expect(mode as? Int == 0o700, "\(made)")
        }
        try folders.make()
        let home = try StandardFolders(application: "mail", environment: ["HOME": "/h"])
        #expect(home.data == "/h/.local/share/mail" && home.state == "/h/.local/state/mail")
        let broken = try StandardFolders(application: "mail", environment: ["HOME": "/dev/null"])
        do throws(StoreError) {
            try broken.make()
            Issue.record("a folder in a device")
        } catch {
            #expect(error.code == .unavailable && error.message.contains("Not a directory"))
        }
    }

    @Test("The vault's folder is private, or is refused")
    func theFolderIsPrivateOrRefused() throws {
        let path = try FileVault.standardPath(
            application: "mail", environment: ["XDG_DATA_HOME": folder.file("data")])
        try StandardFolders.makeFolder(of: path)
        for made in ["data", "data/mail"] {
            let mode = try FileManager.default.attributesOfItem(atPath: folder.file(made))[
                .posixPermissions]
            #expect(mode as? Int == 0o700, "\(made)")
        }
        try StandardFolders.makeFolder(of: path)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o777], ofItemAtPath: folder.file("data/mail"))
        #expect(throws: StoreError(.insecureFile, "")) {
            try FileVault.openOrCreate(at: path, with: VaultFolder.key(1))
        }
    }
}
