// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetCrypto
import SignetPlatform
import SignetVault
import TestSupport
import Testing

/// Hostile text at every place where a store takes text, and what the error then says.
@Suite("The vault's messages about hostile input")
struct VaultMessageTests {
    static let sites: [HostileSite] = [
        HostileSite("a vault's path", isInPath: true) {
            _ = try FileVault.open(at: PathText.text(of: $0.bytes), options: .longWaiting)
        },
        HostileSite("a vault's path with a folder", isInPath: true) {
            _ = try FileVault.open(
                at: "/nonexistent/\(PathText.text(of: $0.bytes))/v", options: .longWaiting)
        },
        HostileSite("a new vault's folder", isInPath: true) { text in
            try folder {
                let inside = PathText.text(of: text.bytes.filter { $0 != UInt8(ascii: "/") })
                _ = try FileVault.create(
                    at: "\($0)/\(inside)/v", with: VaultFolder.key(1), options: .longWaiting)
            }
        },
        HostileSite("a vault's content") { text in
            try folder {
                try write(text.bytes, "\($0)/v")
                _ = try FileVault.open(at: "\($0)/v", options: .longWaiting)
            }
        },
        HostileSite("a table of a vault") { text in
            let folder = try VaultFolder()
            try folder.vault().close()
            let name = text.prefix(2_000).filter { $0 != "\0" }.replacing("\"", with: "\"\"")
            try folder.tamper("vault", "CREATE TABLE \"\(name)\" (a)")
            _ = try folder.another()
        },
        HostileSite("a key file's path", isInPath: true) {
            _ = try UnlockSample.newSlot(KeyFileUnlock(path: PathText.text(of: $0.bytes)))
        },
        HostileSite("a new key file's path", isInPath: true) {
            _ = try KeyFileUnlock.create(at: "/nonexistent/\(PathText.text(of: $0.bytes))")
        },
        HostileSite("a key file's content") { text in
            try folder {
                try write(text.bytes, "\($0)/key")
                _ = try UnlockSample.newSlot(KeyFileUnlock(path: "\($0)/key"))
            }
        },
        HostileSite("a credential's name", isInPath: true) {
            _ = try UnlockSample.newSlot(
                SystemdCredentialUnlock(
                    name: $0.text, environment: ["CREDENTIALS_DIRECTORY": "/nonexistent"]))
        },
        HostileSite("the folder of credentials", isInPath: true) {
            _ = try UnlockSample.newSlot(
                SystemdCredentialUnlock(
                    name: "a", environment: ["CREDENTIALS_DIRECTORY": "/\($0.text)"]))
        },
        HostileSite("a callback's error") { text in
            struct Failure: Error, CustomStringConvertible {
                let description: String
            }
            _ = try UnlockSample.newSlot(
                ExternalKeyUnlock(
                    name: text.prefix(30), wrap: { _ in throw Failure(description: text.text) },
                    unwrap: { _ in throw Failure(description: text.text) }))
        },
        HostileSite("an anchor's path", isInPath: true) {
            let anchor = FileAnchor(path: "/nonexistent/\(PathText.text(of: $0.bytes))/a")
            try anchor.advance(vault: FormatSample.vaultID, to: 1)
        },
        HostileSite("an anchor's content") { text in
            try folder {
                try write(text.bytes, "\($0)/anchor")
                _ = try FileAnchor(path: "\($0)/anchor").generation(ofVault: FormatSample.vaultID)
                throw StoreError(.corrupt, "It was read.")
            }
        },
        HostileSite("a service") { try ItemLimits.check(ItemKey(service: $0.text, account: "a")) },
        HostileSite("an account") { try ItemLimits.check(ItemKey(service: "a", account: $0.text)) },
        HostileSite("an attribute") {
            try ItemLimits.check(
                ItemDetails(label: $0.text, comment: $0.text, attributes: [$0.text: $0.text]))
        },
        HostileSite("a value's type") {
            let value = SecretValue(bytes: $0.bytes, type: ValueType(rawValue: $0.text))
            _ = try value.string()
        },
        HostileSite("a value that is to be text") {
            _ = try SecretValue(bytes: $0.bytes, type: .string).string()
            throw StoreError(.invalidValue, "It was read.")
        },
        HostileSite("a value that is to be JSON") {
            _ = try SecretValue(bytes: $0.bytes, type: .json).decoded(as: [String: Int].self)
        },
        HostileSite("a value that is to be a key") {
            _ = try Ed25519PrivateKey(
                secretValue: SecretValue(bytes: $0.bytes, type: .ed25519PrivateKey))
        },
        HostileSite("a value that is to be a key on a curve") {
            _ = try ECPrivateKey(secretValue: SecretValue(bytes: $0.bytes, type: .p256PrivateKey))
        },
        HostileSite("a value that is to be a key for RSA") {
            _ = try RSAPrivateKey(secretValue: SecretValue(bytes: $0.bytes, type: .rsaPrivateKey))
        },
        HostileSite("a parameter of a list") {
            try ItemLimits.check(service: $0.text, accessGroup: $0.text)
        },
    ]

    @Test("A message is short, on one line, and repeats no secret", arguments: sites)
    func hostile(_ site: HostileSite) async { await site.check() }

    private static func folder(_ body: (String) throws -> Void) throws {
        try UnlockSample.withFolder { path in
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
            try body(path)
        }
    }

    private static func write(_ bytes: [UInt8], _ path: String) throws {
        try UnlockSample.write(bytes, path)
    }
}
