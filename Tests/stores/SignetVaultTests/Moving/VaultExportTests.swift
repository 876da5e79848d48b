// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetCrypto
import SignetVault
import SignetVaultTesting
import TestSupport
import Testing

struct VaultExportTests {
    private let folder: VaultFolder
    private let passphrase = PassphraseUnlock("correct horse", derivation: .scrypt(logCost: 10))

    init() throws { folder = try VaultFolder() }

    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test("An export is a vault of one file")
    func anExportIsAVaultOfOneFile() async throws {
        let source = try await MigrationFixture.source()
        let report = try await VaultExport(
            from: source, to: folder.file("export"), with: passphrase
        ).run()
        #expect(report.added == MigrationFixture.count)
        #expect(try files() == ["export"])

        let vault = try FileVault.open(at: folder.file("export"))
        try vault.unlock(with: passphrase)
        #expect(try vault.verify().isClean)
        #expect(try vault.slots().map(\.kind) == [.scrypt])
        #expect(
            try await MigrationFixture.contents(of: vault) == MigrationFixture.contents(of: source))
        vault.close()
        #expect(try files() == ["export"])
    }

    @Test("An empty store and a part of one are exported too")
    func anEmptyStoreAndAPartOfOneAreExportedToo() async throws {
        _ = try await VaultExport(from: InMemoryStore(), to: folder.file("empty"), with: passphrase)
            .run()
        var export = VaultExport(
            from: try await MigrationFixture.source(), to: folder.file("part"), with: passphrase)
        export.includes = { $0.key.service == "service 1" }
        #expect(try await export.run().added == 4)
        #expect(try files() == ["empty", "part"])
        let store = InMemoryStore()
        let report = try await VaultImport(from: folder.file("empty"), with: passphrase, to: store)
            .run()
        #expect(report.total == 0)
    }

    @Test("An older copy of a file that was imported is refused, and accepted by name")
    func anOlderCopyIsImportedByName() async throws {
        let vault = try folder.vault("file")
        try vault.keep("a")
        vault.close()
        try FileManager.default.copyItem(
            atPath: folder.file("file"), toPath: folder.file("older"))
        let newer = try folder.another("file")
        try newer.keep("b")
        newer.close()
        func run(_ options: VaultOptions = VaultOptions()) async throws -> MigrationReport {
            try await VaultImport(
                from: folder.file("file"), with: VaultFolder.key(1), to: InMemoryStore(),
                options: options
            ).run()
        }
        #expect(try await run().added == 2)
        try FileManager.default.removeItem(atPath: folder.file("file"))
        try FileManager.default.moveItem(atPath: folder.file("older"), toPath: folder.file("file"))
        let error = await #expect(throws: StoreError.self) { try await run() }
        #expect(error?.code == .rolledBack)
        #expect(error?.message.contains("acceptsRestored") == true)
        var options = VaultOptions()
        options.acceptsRestored = true
        #expect(try await run(options).added == 1)
        #expect(try await run().added == 1)
    }

    @Test("An existing file of that name stays as it is")
    func aFileOfThatNameStaysAsItIs() async throws {
        let path = folder.file("export")
        try Data("precious".utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        await #expect(throws: StoreError(.alreadyExists, "")) {
            try await VaultExport(from: InMemoryStore(), to: path, with: passphrase).run()
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("precious".utf8))
        #expect(try files() == ["export"])
    }

    @Test(
        "An export that fails at any call leaves no file, whole or partial",
        arguments: [StoreError.Code.locked, .corrupt, .unavailable, .timedOut])
    func anExportThatFailsLeavesNothing(_ code: StoreError.Code) async throws {
        for number in [1, 2, 5, 1 + MigrationFixture.count] {
            let source = FaultyStore(try await MigrationFixture.source())
            source.failCall(number, with: code)
            await #expect(throws: StoreError(code, ""), "call \(number)") {
                try await VaultExport(from: source, to: folder.file("export"), with: passphrase)
                    .run()
            }
            #expect(try files() == [], "call \(number)")
        }
    }

    @Test("A cancelled export leaves no file")
    func aCancelledExportLeavesNothing() async throws {
        let (source, path, way) = (
            try await MigrationFixture.source(), folder.file("export"), passphrase
        )
        let task = Task { try await VaultExport(from: source, to: path, with: way).run() }
        task.cancel()
        await #expect(throws: StoreError(.cancelled, "")) { try await task.value }
        #expect(try files() == [])
    }

    @Test("An export into a folder that others may write to is refused")
    func anInsecureFolderIsRefused() async throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
        await #expect(throws: StoreError(.insecureFile, "")) {
            try await VaultExport(
                from: InMemoryStore(), to: folder.file("export"), with: passphrase
            ).run()
        }
        #expect(try files() == [])
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
    }

    @Test("An import takes every item, and repeating it changes nothing")
    func anImportTakesEverythingAndIsRepeatable() async throws {
        let source = try await MigrationFixture.source()
        let path = folder.file("export")
        _ = try await VaultExport(from: source, to: path, with: passphrase).run()
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let vault = try folder.vault("destination")
        var last = 0
        let first = try await VaultImport(from: path, with: passphrase, to: vault).run {
            done, all in
            last = done
            #expect(done <= all)
        }
        #expect(first.added == MigrationFixture.count)
        #expect(last == 2 * MigrationFixture.count)
        let second = try await VaultImport(from: path, with: passphrase, to: vault).run()
        #expect(second.alreadyThere == MigrationFixture.count)
        #expect(
            try await MigrationFixture.contents(of: vault) == MigrationFixture.contents(of: source))
        #expect(try vault.verify().isClean)
        #expect(
            try Data(contentsOf: URL(fileURLWithPath: path)) == before, "the file stays as it is")
    }

    @Test("Conflicts of an import follow the policy")
    func conflictsFollowThePolicy() async throws {
        let path = folder.file("export")
        _ = try await VaultExport(
            from: try await MigrationFixture.source(), to: path, with: passphrase
        ).run()
        let store = InMemoryStore()
        try await store.put([MigrationFixture.item(1, value: "other")])
        await #expect(throws: StoreError(.conflict, "")) {
            try await VaultImport(from: path, with: passphrase, to: store).run()
        }
        #expect(try await store.allItems().count == 1)
        let report = try await VaultImport(
            from: path, with: passphrase, to: store, conflictPolicy: .replace
        ).run()
        #expect(report.replaced == 1)
        #expect(try await store.get(MigrationFixture.key(1))?.string() == "value 1")
    }

    @Test("A wrong passphrase imports nothing")
    func aWrongPassphraseOpensNothing() async throws {
        let path = folder.file("export")
        _ = try await VaultExport(
            from: try await MigrationFixture.source(), to: path, with: passphrase
        ).run()
        let store = InMemoryStore()
        await #expect(throws: StoreError(.authenticationFailure, "")) {
            try await VaultImport(from: path, with: PassphraseUnlock("wrong horse"), to: store)
                .run()
        }
        #expect(try await store.allItems().isEmpty)
    }

    /// Damage that a lazy read of the other items would miss.
    @Test(
        "Nothing of a damaged file is imported",
        arguments: [
            "DELETE FROM item WHERE id=(SELECT id FROM item LIMIT 1)",
            "UPDATE val SET b=zeroblob(length(b)) WHERE v=(SELECT max(v) FROM val)",
            "INSERT INTO val(v,b) VALUES(99999,zeroblob(104))",
            "DELETE FROM bucket WHERE n=(SELECT max(n) FROM bucket)",
        ])
    func aDamagedFileIsNotTakenInPart(_ statement: String) async throws {
        _ = try await VaultExport(
            from: try await MigrationFixture.source(), to: folder.file("export"), with: passphrase
        ).run()
        try folder.tamper("export", statement)
        let store = InMemoryStore()
        await #expect(throws: StoreError(.corrupt, "")) {
            try await VaultImport(from: folder.file("export"), with: passphrase, to: store).run()
        }
        #expect(try await store.allItems().isEmpty)
    }

    @Test("A vault moves into another, and not into itself")
    func aVaultMovesToAnother() async throws {
        let (from, to) = (try folder.vault("from"), try folder.vault("to"))
        try await from.put((0..<MigrationFixture.count).map { MigrationFixture.item($0) })
        let wanted = try await MigrationFixture.contents(of: from)
        let report = try await StoreMigration(from: from, to: to, removesFromSource: true).run()
        #expect(report.removedFromSource == MigrationFixture.count)
        #expect(try await MigrationFixture.contents(of: to) == wanted)
        #expect(try from.verify().itemCount == 0)
        // The same file through another object is the same store.
        let same = try folder.another("to")
        await #expect(throws: StoreError(.invalidParameter, "")) {
            try await StoreMigration(from: to, to: same, removesFromSource: true).run()
        }
        #expect(
            try await MigrationFixture.contents(of: to).map(\.value).sorted()
                == wanted.map(\.value).sorted())
    }
}
