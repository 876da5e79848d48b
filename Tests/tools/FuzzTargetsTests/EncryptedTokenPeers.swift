// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPrograms

/// The two libraries, asked by a script.
enum EncryptedTokenPeers {
    struct Failure: Error { let description: String }

    struct Answer: Decodable {
        /// By library, how many tokens of an `alg` and `enc` it has opened.
        private(set) var opened: [String: [String: Int]] = [:]
        /// Refusals by libraries that have nothing to do with a key or a content.
        private(set) var known: [String: Int] = [:]
        private(set) var differences: [String] = []

        init() {}

        mutating func add(_ other: Answer) {
            for (library, counts) in other.opened {
                opened[library, default: [:]].merge(counts, uniquingKeysWith: +)
            }
            known.merge(other.known, uniquingKeysWith: +)
            differences += other.differences
        }

        var report: String {
            let libraries = opened.sorted { $0.key < $1.key }.map { library, counts in
                let each = counts.sorted { $0.key < $1.key }.map { "  \($0.key): \($0.value)" }
                return ["\(library): \(counts.values.reduce(0, +)) opened"] + each
            }
            let refusals = known.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
            return (libraries.flatMap(\.self) + refusals).joined(separator: "\n")
        }
    }

    /// The environment that `Scripts/interop-venv.sh` makes, or an interpreter that is named.
    private static let interpreter =
        ProcessInfo.processInfo.environment["SIGNET_INTEROP_PYTHON"]
        ?? FileManager.default.currentDirectoryPath + "/.cache/interop-venv/bin/python3"

    static let isAvailable: Bool =
        (try? ChildProgram.run(interpreter, ["-c", "import jwcrypto, joserfc"]))?.status == 0

    static let isRequired = ProcessInfo.processInfo.environment["SIGNET_REQUIRE_INTEROP"] == "1"

    /// Has both libraries open tokens, in one process.
    ///
    /// - Parameters:
    ///   - lines: one a token.
    ///   - keys: private JWKs, which the lines number.
    static func open(_ lines: [String], keys: [String]) throws -> Answer {
        guard
            let script = Bundle.module.url(
                forResource: "open-encrypted", withExtension: "py", subdirectory: "Scripts")
        else { throw Failure(description: "the script is not here") }
        let input = "[\(keys.joined(separator: ","))]\n" + lines.joined()
        let outcome = try ChildProgram.run(
            interpreter, ["-B", script.path], input: Array(input.utf8))
        guard outcome.status == 0 else { throw Failure(description: outcome.complaint) }
        return try JSONDecoder().decode(Answer.self, from: Data(outcome.output))
    }
}
