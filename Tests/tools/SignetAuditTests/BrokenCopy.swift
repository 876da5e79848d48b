// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetCrypto
import TestVectors

/// Copies of vector files with one vector made wrong, to prove that a wrong one is noticed.
final class BrokenCopy {
    struct NothingToBreak: Error {}

    let folder: URL
    /// The id of the vector that is wrong.
    let brokenID: String

    /// A folder of figures with one suite, in which the first vector that must be accepted is wrong.
    /// - Parameter isSigned: whether the manifest names the digest of the wrong file, so that the vector is reached.
    init(figures: TestVectors, suite name: String, isSigned: Bool = true) throws {
        var manifest = try Self.object(figures.manifest())
        let suites = manifest["suites"] as? [[String: Any]] ?? []
        guard var entry = suites.first(where: { $0["name"] as? String == name }),
            let path = entry["path"] as? String,
            let kind = entry["kind"] as? String, let column = Self.columns[kind]
        else { throw NothingToBreak() }
        var file = try Self.object(figures.bytes(at: path))
        brokenID = try Self.breakRow(of: &file, column: column)
        let content = try JSONSerialization.data(withJSONObject: file)
        if isSigned {
            let digest = try MessageDigest.digest([UInt8](content), using: .sha256)
            entry["sha256"] = digest.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
                .joined()
        }
        manifest["suites"] = [entry]
        manifest["leftOut"] = [Any]()
        folder = try Self.makeFolder()
        try Self.write(content, to: path, in: folder)
        try Self.write(
            JSONSerialization.data(withJSONObject: manifest), to: "MANIFEST.json", in: folder)
    }

    /// A folder with one Wycheproof file, in which the first valid test is wrong, or the count of tests.
    init(wycheproof source: String, file name: String, countOnly: Bool = false) throws {
        let fileName = "\(name)_test.json"
        var file = try Self.object(
            [UInt8](Data(contentsOf: URL(fileURLWithPath: "\(source)/\(fileName)"))))
        if countOnly, let count = file["numberOfTests"] as? Int {
            file["numberOfTests"] = count + 1
            brokenID = ""
        } else {
            brokenID = try Self.breakTest(of: &file)
        }
        folder = try Self.makeFolder()
        try Self.write(JSONSerialization.data(withJSONObject: file), to: fileName, in: folder)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The output of each kind of figure.
    private static let columns = [
        "mac": "tag", "aead": "tag", "xaes": "ct", "xaes-accumulated": "hash", "hkdf": "okm",
        "pbkdf2": "dk",
        "scrypt": "dk", "rsa-verify": "sig", "ecdsa-verify": "sig", "ec-public-key": "y",
        "ec-key-pair": "x",
        "key-wrap": "ct", "content": "tag", "agreement": "z", "concat-kdf": "dk", "ed25519": "sig",
        "base64url": "text", "jws": "jws", "jwe": "jwe", "jwt": "jws", "jwk": "private",
        "jwk-set": "verifiable",
        "thumbprint": "thumbprint", "mailbox": "domain", "business-domain": "verdict",
    ]

    private static func breakRow(of file: inout [String: Any], column: String) throws -> String {
        let columns = file["cols"] as? [String] ?? []
        let overrides = file["ovr"] as? [String: Any] ?? [:]
        guard var rows = file["rows"] as? [[Any]], let output = columns.firstIndex(of: column),
            let label = columns.firstIndex(of: "r")
        else { throw NothingToBreak() }
        if file["kind"] as? String == "rsa-verify",
            !rows.contains(where: { $0[label] as? Int == 1 })
        {
            // A file of bad signatures only: call one good.
            rows[0][label] = 1
            file["rows"] = rows
            return "\(rows[0][0])"
        }
        for index in rows.indices
        where rows[index][label] as? Int == 1 && overrides["\(rows[index][0])"] == nil {
            if let text = rows[index][output] as? String, text.isEmpty { continue }
            rows[index][output] = broken(rows[index][output])
            file["rows"] = rows
            return "\(rows[index][0])"
        }
        throw NothingToBreak()
    }

    private static func breakTest(of file: inout [String: Any]) throws -> String {
        var groups = file["testGroups"] as? [[String: Any]] ?? []
        for group in groups.indices {
            var tests = groups[group]["tests"] as? [[String: Any]] ?? []
            // The later fields are inputs of some families: the first that is there is the output.
            for test in tests.indices where tests[test]["result"] as? String == "valid" {
                guard
                    let field = ["tag", "okm", "dk", "sig", "jws", "shared", "ct"].first(where: {
                        tests[test][$0] != nil
                    }),
                    let text = tests[test][field] as? String, !text.isEmpty
                else { continue }
                tests[test][field] =
                    field == "jws"
                    ? broken(text) : String(text.dropLast()) + (text.hasSuffix("0") ? "1" : "0")
                groups[group]["tests"] = tests
                file["testGroups"] = groups
                return (tests[test]["tcId"] as? Int).map(String.init) ?? ""
            }
        }
        throw NothingToBreak()
    }

    /// Another value of the same form: the last part of a text has another first character.
    private static func broken(_ value: Any) -> Any {
        guard let text = value as? String else {
            return (value as? Int).map { 1 - $0 } ?? ["nobody"]
        }
        var parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        if let last = parts.popLast() {
            parts.append((last.hasPrefix("A") ? "B" : "A") + last.dropFirst())
        }
        return parts.joined(separator: ".")
    }

    private static func object(_ bytes: [UInt8]) throws -> [String: Any] {
        guard let object = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
        else {
            throw NothingToBreak()
        }
        return object
    }

    private static func makeFolder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "signet-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    private static func write(_ content: Data, to path: String, in folder: URL) throws {
        let file = folder.appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try content.write(to: file)
    }
}
