// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetVault
import Synchronization
import TestSupport
import Testing

/// The vaults of `Fixtures`, as files.
enum Fixtures {
    private struct Patch: Decodable {
        let base: String
        let length: Int
        let patches: [Run]
        let wal: Log?

        struct Log: Decodable {
            let length: Int
            let patches: [Run]
        }

        struct Run: Decodable {
            let offset: Int
            let octets: [UInt8]

            init(from decoder: any Decoder) throws {
                var values = try decoder.unkeyedContainer()
                offset = try values.decode(Int.self)
                octets = bytes(try values.decode(String.self))
            }
        }
    }

    private static let patches: [String: Patch] =
        (try? JSONDecoder().decode([String: Patch].self, from: file("damaged.json"))) ?? [:]

    static func file(_ name: String) throws -> Data {
        let url = try #require(
            Bundle.module.url(forResource: name, withExtension: nil, subdirectory: "Fixtures"),
            "no fixture \(name)")
        return try Data(contentsOf: url)
    }

    /// The octets of a good vault.
    static func good(_ name: String) throws -> [UInt8] {
        name == "nothing" ? [] : Array(try file("\(name).vault"))
    }

    /// Puts a damaged vault into a folder and says where it is.
    static func damaged(_ name: String, in folder: FixtureFolder) throws -> String {
        let patch = try #require(patches[name], "no damaged vault \(name)")
        let path = try folder.vault(patched(good(patch.base), patch.length, patch.patches))
        if let wal = patch.wal {
            try folder.vault(patched([], wal.length, wal.patches), name: "test.vault-wal")
        }
        return path
    }

    private static func patched(_ base: [UInt8], _ length: Int, _ runs: [Patch.Run]) -> [UInt8] {
        var octets = Array(base.prefix(length))
        octets += [UInt8](repeating: 0, count: length - octets.count)
        for run in runs {
            octets.replaceSubrange(run.offset..<run.offset + run.octets.count, with: run.octets)
        }
        return octets
    }
}

/// A folder of mode 0700 that is removed with its owner.
final class FixtureFolder: Sendable {
    let path: String

    /// In memory where possible, so that thousands of vaults do not wait for a disk.
    init() throws {
        let memory = "/dev/shm"
        let parent =
            FileManager.default.isWritableFile(atPath: memory)
            ? memory : FileManager.default.temporaryDirectory.path
        path = "\(parent)/signet-vault-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700]
        )
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file of mode 0600 and says where it is. Files of SQLite's beside it go.
    @discardableResult
    func vault(_ octets: [UInt8], name: String = "test.vault") throws -> String {
        let file = "\(path)/\(name)"
        for suffix in ["", "-wal", "-shm", "-journal"] {
            try? FileManager.default.removeItem(atPath: file + suffix)
        }
        let made = FileManager.default.createFile(
            atPath: file, contents: Data(octets), attributes: [.posixPermissions: 0o600])
        try #require(made)
        return file
    }
}

extension VaultOptions {
    init(level: ReadLevel) {
        self.init()
        readLevel = level
    }
}

/// Opens and unlocks.
func openVault(_ path: String, _ method: any UnlockMethod, level: ReadLevel = .lazy)
    throws(StoreError)
    -> FileVault
{
    let vault = try FileVault.open(at: path, options: VaultOptions(level: level))
    try vault.unlock(with: method)
    return vault
}

extension SecretValue {
    var octets: [UInt8] {
        withExposedBytes { (span: Span<UInt8>) -> [UInt8] in span.indices.map { span[$0] } }
    }
}

/// What a call gave: its code when it threw.
func outcome(_ body: () throws(StoreError) -> String) -> String {
    do { return try body() } catch { return error.code.rawValue }
}
