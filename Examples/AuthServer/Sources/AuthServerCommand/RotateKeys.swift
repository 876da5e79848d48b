// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import AuthServer
internal import Foundation
internal import SignetIdentity

/// `auth-server rotate-keys`: new tokens get a new key, those in the world stay valid. Nobody is logged out.
struct RotateKeys: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make a new signing key. Nobody is logged out.",
        discussion:
            "A running server takes it within AUTH_KEY_REREAD_SECONDS, or at once on SIGHUP.")

    @Option(help: "The vault (AUTH_VAULT).") var vault: String?

    func run() async throws {
        let settings = Settings(
            environment: ProcessInfo.processInfo.environment, overrides: ["AUTH_VAULT": vault])
        guard let path = settings.text("AUTH_VAULT") else {
            throw AuthServerCommand.fail(
                "AUTH_VAULT: is not set: give it the path of the vault file.")
        }
        guard FileManager.default.fileExists(atPath: path) else {
            throw AuthServerCommand.fail(
                "the vault \(path) is not there: the server makes it at its first start.")
        }
        let key: VaultKey
        do throws(ConfigurationProblem) { key = try ServerConfiguration.vaultKey(settings) } catch {
            throw AuthServerCommand.fail(error.description)
        }
        let opened = try Opening.vault(path, key)
        defer { opened.close() }
        let ring = try opened.rotate()
        print(
            "signing with \(ring.currentKeyID); \(ring.members.count - 1) earlier keys still verify"
        )
    }
}
