// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import SignetCrypto
internal import SignetJOSE
internal import SignetVault

extension DemoCommand {
    /// A token in a vault, in a folder of its own that goes when it is shown.
    func keepToken() throws {
        try title("A token, kept in a vault")
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "signet-demo-\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw CommandFailure.unavailable(
                "system", "No folder can be made in \(folder.deletingLastPathComponent().path).")
        }
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("demo.signet").path
        let passphrase = PassphraseUnlock("correct horse battery staple")
        let key = ItemKey(service: "api.example", account: "jane", itemClass: .token)
        let token = SecretValue(Base64URL.encode(try SecureRandom.bytes(count: 24)))

        let made = try FileVault.create(at: file, with: passphrase)
        try step("a new vault, opened by a passphrase:", "vault \(made.id.hexadecimal)")
        try made.write { try $0.set(token, for: key, details: ItemDetails(label: "Jane's token")) }
        try step("kept:", "\(key), \(token.byteCount) bytes")
        made.close()

        let vault = try FileVault.open(at: file)
        try step("with another passphrase:", refusal(of: vault, "correct horse battery stable"))
        try vault.unlock(with: passphrase)
        guard try vault.read({ try $0.get(key) }) == token else {
            throw CommandFailure.refused("demo", "The token came back different.")
        }
        try step("with the right one, signet vault get:", "the same \(token.byteCount) bytes")
        let others = ItemKey.token(service: "api.example", account: "john")
        guard try vault.read({ try $0.entry(others) }) == nil else {
            throw CommandFailure.refused("demo", "There is an item that nobody kept.")
        }
        try step("the token of somebody else:", "absent, and the vault proves it")
        let report = try vault.verify()
        vault.close()
        guard report.isClean else {
            throw CommandFailure.refused("demo", "A new vault is damaged.")
        }
        try step(
            "signet vault verify:",
            "clean: \(report.itemCount) item, \(report.valueCount) value, \(report.byteCount) bytes authenticated"
        )
        try step(
            "with one bit of the file flipped:", try problem(afterFlippingABitOf: file, passphrase))
    }

    private func refusal(of vault: FileVault, _ passphrase: String) throws -> String {
        do throws(StoreError) {
            try vault.unlock(with: PassphraseUnlock(passphrase))
        } catch {
            return "refused: \(error.code.rawValue)"
        }
        throw CommandFailure.refused(
            "demo", "A wrong passphrase opened the vault, which must never happen.")
    }

    /// What a verification says of a copy in which one bit is another.
    private func problem(afterFlippingABitOf file: String, _ method: PassphraseUnlock) throws
        -> String
    {
        var bytes = try Input.bytes(file)
        // SQLite fills pages from their ends, and the seventh is that of the values: this is in the token's ciphertext.
        guard bytes.count >= 7 * 4096 else {
            throw CommandFailure.refused("demo", "The vault is cut off.")
        }
        bytes[7 * 4096 - 1] ^= 1
        let copy = file + ".copy"
        try OutputFile(copy, overwrite: false).write(bytes)
        var options = VaultOptions()
        options.readLevel = .lazy
        do throws(StoreError) {
            let vault = try FileVault.open(at: copy, options: options)
            try vault.unlock(with: method)
            if let finding = try vault.verify().findings.first {
                return "damage, \(finding.place): \(finding.problem)"
            }
        } catch {
            return "refused: \(error.code.rawValue)"
        }
        throw CommandFailure.refused(
            "demo", "A changed vault was called clean, which must never happen.")
    }
}
