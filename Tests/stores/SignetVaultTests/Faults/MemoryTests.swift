// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SQLiteBridge
import SignetCrypto
import SignetVault
import TestSupport
import Testing

/// What a process still holds of its secrets once its vault is locked.
@Suite("Secrets in memory")
struct MemoryTests {
    @Test("After use and lock(), memory holds no passphrase, value or key")
    func nothingLeft() throws {
        let folder = try PrivateFolder()
        let path = folder.path + "/vault"
        let worker = try Worker(["scan", path])
        var lines = [String]()
        while let line = worker.line() {
            lines.append(line)
            if line == "locked" || line.hasPrefix("error") { break }
        }
        let slotKey = SecretKey(copying: Secrets.octets(seed: 44))
        let keys = try KeysInFile.read(path, slotKey: slotKey)
        #expect(keys.count >= 4)
        for (name, key) in keys {
            let complement = key.map { String(UInt16(0x100) + UInt16(~$0), radix: 16).dropFirst() }
                .joined()
            try worker.send("\(name) \(complement)\n")
        }
        try worker.endInput()
        lines += worker.remainingLines()
        print("memory: \(lines.joined(separator: "; "))")
        #expect(lines.last == "done")
        // The search finds what is there.
        #expect(lines.contains { $0.hasPrefix("control ") && !$0.hasPrefix("control 0") })
        let found = lines.filter { $0.hasPrefix("found ") }
        #expect(found.count == 4 + keys.count)
        for line in found { #expect(line.hasPrefix("found 0 "), "\(line)") }
    }
}

/// The secrets of the worker's scan, computed from their numbers.
enum Secrets {
    static func octets(seed: UInt64) -> [UInt8] {
        (0..<32).map { index in
            var z = seed &+ UInt64(index) &* 0x9e37_79b9_7f4a_7c15
            z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
            z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
            return 0x21 + UInt8((z ^ (z >> 31)) % 90)
        }
    }
}

/// A vault's own keys, extracted from the file by Documentation/VAULT-FORMAT.md alone.
enum KeysInFile {
    static func read(_ path: String, slotKey: SecretKey) throws -> [(String, [UInt8])] {
        let database = try SQLiteConnection(
            path: path, access: .readWrite, busyTimeoutMilliseconds: 1000)
        let head = try blobs(database, "SELECT b FROM head")[0]
        let vaultID = Array(head[12..<28])
        let epoch = Array(head[36..<40])
        let root = try #require(
            try blobs(database, "SELECT b FROM slot").compactMap { slot -> [UInt8]? in
                guard slot[0] == 4 else { return nil }
                let fixed = Array(slot[0..<20])
                let both = try KeyDerivation.hkdfExpand(
                    slotKey, info: Array("SIGNETV1 slot".utf8) + vaultID + fixed, byteCount: 64)
                let wrapping = both.withExposedBytes { bytes in
                    SecretKey(copying: bytes.extracting(0..<32))
                }
                return try XAES256GCM.open(
                    slot[52...], using: wrapping,
                    authenticating: data(
                        6, vaultID, [UInt8](repeating: 0, count: 16), Array(slot[4..<20])))
            }.first)
        let rootKey = SecretKey(copying: root)
        let wrap = try KeyDerivation.hkdfExpand(
            rootKey, info: Array("SIGNETV1 wrap".utf8) + vaultID + epoch, byteCount: 32)
        let wrapID = try KeyDerivation.hkdfExpand(
            wrap, info: Array("SIGNETV1 kid".utf8) + vaultID, byteCount: 16)
        var keys = [("root", root), ("wrap", octets(wrap))]
        for row in try blobs(database, "SELECT kid || b FROM ring") {
            let opened = try XAES256GCM.open(
                row[16...], using: wrap,
                authenticating: data(3, vaultID, octets(wrapID), Array(row[0..<16])))
            keys.append(("ring-\(Character(UnicodeScalar(opened[0])))", Array(opened[1...])))
        }
        return keys
    }

    private static func octets(_ key: SecretKey) -> [UInt8] {
        key.withExposedBytes { bytes in bytes.indices.map { bytes[$0] } }
    }

    private static func data(_ kind: UInt8, _ vaultID: [UInt8], _ keyID: [UInt8], _ name: [UInt8])
        -> [UInt8]
    {
        Array("SIGNETV1".utf8) + [kind, 1, 0, 0] + vaultID + keyID
            + [UInt8](repeating: 0, count: 16) + name
            + [UInt8](repeating: 0, count: 12)
    }

    private static func blobs(_ database: SQLiteConnection, _ sql: String) throws -> [[UInt8]] {
        let statement = try database.prepare(
            sql.replacingOccurrences(of: "kid || b", with: "CAST(kid || b AS BLOB)"))
        var rows = [[UInt8]]()
        while try statement.step() { rows.append(try #require(statement.blob(0))) }
        return rows
    }
}
