// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPrograms
import TestSupport
import Testing

/// The key files and certificates of PyPI's `cryptography_vectors`, read where
/// `Scripts/interop-venv.sh` installs it. `Fixtures/cryptography-vectors.txt` has what each of them
/// is to Signet and to the openssl command, and why the two differ.
@Suite(
    "Key files of cryptography_vectors", .tags(.interop),
    .enabled(if: CryptographyVectors.isHere, "\(CryptographyVectors.absence)"))
struct KeyFilesOfCryptographyTests {
    struct Row {
        let file: String
        let ours: String
        let openSSL: String
        let reason: String?
    }

    private func rows() throws -> [Row] {
        let url = try #require(
            Bundle.module.url(
                forResource: "cryptography-vectors", withExtension: "txt",
                subdirectory: "Fixtures"))
        return try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
            .filter { !$0.hasPrefix("#") }
            .map { line in
                let cells = line.components(separatedBy: " | ")
                try #require(cells.count == 3 || cells.count == 4, "\(line)")
                return Row(
                    file: cells[0], ours: cells[1], openSSL: cells[2],
                    reason: cells.count == 4 ? cells[3] : nil)
            }
    }

    @Test("The table has each file, and a reason for each difference")
    func table() throws {
        let folder = try #require(CryptographyVectors.folder)
        let rows = try rows()
        for row in rows {
            let differs = (row.ours == "key") != (row.openSSL == "key")
            #expect(differs == (row.reason != nil), "\(row.file)")
        }
        let endings = [".pem", ".der", ".crt", ".key", ".pub", ".csr"]
        var found: Set<String> = []
        for top in ["asymmetric", "x509"] {
            let names = try FileManager.default.subpathsOfDirectory(atPath: "\(folder)/\(top)")
            for name in names
            where !name.contains("PKITS_data") && endings.contains(where: name.hasSuffix) {
                found.insert("\(top)/\(name)")
            }
        }
        #expect(found == Set(rows.map(\.file)))
        #expect(rows.count == found.count)
    }

    @Test("Each file is what the table says, and a key that both read is the same")
    func files() throws {
        let folder = try #require(CryptographyVectors.folder)
        let openssl = try #require(OpenSSLCommand.path)
        let version = try ChildProgram.run(openssl, ["version"], input: [])
        let isKnown = version.output.starts(with: "OpenSSL 3.0.".utf8)
        for row in try rows() {
            let path = "\(folder)/\(row.file)"
            let ours = CommandFolder.inProcess([
                "jwk", "convert", "--to", "public-pem", "--key", path,
            ])
            if row.ours == "key" {
                #expect(ours.status == 0, "\(row.file): \(ours)")
            } else {
                #expect(ours.failed(1, row.ours), "\(row.file): \(ours)")
            }
            let theirs = try publicKey(path, openssl)
            if isKnown { #expect((theirs != nil) == (row.openSSL == "key"), "\(row.file)") }
            guard ours.status == 0, let theirs else { continue }
            #expect(ours.output == theirs, "\(row.file)")
        }
    }

    /// The public key in PEM that the openssl command finds in a file, without a password.
    private func publicKey(_ path: String, _ openssl: String) throws -> [UInt8]? {
        for arguments in [
            ["pkey", "-pubout", "-passin", "pass:", "-in"], ["pkey", "-pubin", "-pubout", "-in"],
            ["x509", "-noout", "-pubkey", "-in"],
        ] {
            let outcome = try ChildProgram.run(openssl, arguments + [path], input: [])
            if outcome.status == 0, !outcome.output.isEmpty { return outcome.output }
        }
        return nil
    }
}
