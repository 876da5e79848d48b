// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetCrypto
import SignetJOSE

/// A report with a signature that the tests make themselves, as `signet audit --sign` makes it.
struct SignedReport {
    /// The text, which is any bytes here.
    static let content = Array("<!DOCTYPE html>\n<p>No deviation</p>\n".utf8)

    let folder: CommandFolder
    let name: String

    /// A folder with the report, `key.json`, `jwks.json` and the signature.
    init(_ name: String = "audit.html", algorithm: String = "ES256") throws {
        folder = try CommandFolder()
        self.name = name
        try folder.makeKeys(algorithm)
        try folder.write(name, Self.content)
        try sign()
    }

    /// The payload that fits the report.
    static func payload(_ content: [UInt8] = content, name: String = "audit.html") throws -> String
    {
        let digest = try MessageDigest.digest(content, using: .sha256)
            .map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        return #"{"length":\#(content.count),"name":"\#(name)","sha256":"\#(digest)"}"#
    }

    /// Writes a signature over a payload, made by `signet jws sign`.
    func sign(
        _ payload: String? = nil, type: String? = "signet-audit+jws", key: String = "key.json"
    ) throws {
        let options = type.map { ["--type", $0] } ?? []
        let outcome = CommandFolder.inProcess(
            ["jws", "sign", "--key", folder.path(key)] + options,
            input: Array(try (payload ?? Self.payload(name: name)).utf8))
        try folder.write(name + ".jws", outcome.output)
    }

    /// Runs `signet audit verify` on it.
    func verify(_ options: [String] = [], key: String = "jwks.json") -> Outcome {
        CommandFolder.inProcess(
            ["audit", "verify", folder.path(name), "--key", folder.path(key)] + options)
    }
}
