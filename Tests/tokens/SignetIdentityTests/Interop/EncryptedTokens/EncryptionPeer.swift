// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Another implementation that encrypts and decrypts tokens.
enum EncryptionPeer: String, Sendable, CaseIterable {
    case jwcrypto
    case joserfc
    /// The command of José, in C.
    case jose
    /// jose for Node.
    case nodeJose = "node-jose"

    /// How many of Signet's 138 tokens it opens: those of each combination that it offers.
    var openedCount: Int {
        switch self {
        // No RSA-OAEP-384 and no RSA-OAEP-512.
        case .jwcrypto, .joserfc: 126
        // On the NIST curves alone; Debian's build has no RSA-OAEP.
        case .jose: 96
        case .nodeJose: 138
        }
    }

    /// How many tokens it makes that Signet opens. RSA-OAEP with SHA-1 is among them.
    var madeCount: Int {
        switch self {
        case .jwcrypto, .joserfc: 132
        case .jose: 96
        case .nodeJose: 144
        }
    }

    var isAvailable: Bool {
        switch self {
        case .jwcrypto, .joserfc: Python.isAvailable
        case .jose: Python.isAvailable && Command.find("jose") != nil
        case .nodeJose:
            Command.find("node") != nil
                && FileManager.default.fileExists(atPath: Self.nodeModule + "/package.json")
        }
    }

    /// Why its test skips, as swift test shows it.
    var absence: String {
        switch self {
        case .jwcrypto, .joserfc: Python.absence
        case .jose:
            "the jose command is not here (Debian: package jose), or no Python: \(Python.absence)"
        case .nodeJose: "jose for Node is not here (Debian: packages nodejs, node-jose)"
        }
    }

    /// Where Debian's package is; its own node looks there, others do not.
    private static let nodeModule = "/usr/share/nodejs/jose"

    /// What it answers to a question of ``EncryptionExchange``.
    func answer(to question: Data) throws -> Data {
        let program: Command?
        let arguments: [String]
        switch self {
        case .jwcrypto, .joserfc, .jose:
            program = Python.interpreter
            arguments = ["-B", try Python.path(of: "encrypted"), rawValue]
        case .nodeJose:
            program = Command.find("node")
            arguments = [try Python.path(of: "encrypted", extension: "js"), Self.nodeModule]
        }
        guard let program else { throw Command.Failure(description: absence) }
        return try program.run(arguments, input: question)
    }
}
