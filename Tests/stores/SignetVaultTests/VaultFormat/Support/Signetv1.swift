// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPrograms
import Testing

/// The second implementation of the format, run as a program of its own.
enum Signetv1 {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The environment that `make test-deps` makes, or another that `SIGNET_INTEROP_PYTHON` names.
    static let interpreter: String? = {
        let named = ProcessInfo.processInfo.environment["SIGNET_INTEROP_PYTHON"]
        let path =
            named ?? FileManager.default.currentDirectoryPath + "/.cache/interop-venv/bin/python3"
        guard FileManager.default.isExecutableFile(atPath: path) else { return nil }
        let imports =
            "import cryptography.hazmat.primitives.ciphers.aead, sqlite3; assert sqlite3.sqlite_version_info >= (3, 37)"
        return (try? run(path, ["-c", imports], Data())) == nil ? nil : path
    }()

    static var isAvailable: Bool { interpreter != nil }

    static let absence =
        "Python's cryptography is not here: `make test` installs it where Python 3 is"

    static var isRequired: Bool {
        ProcessInfo.processInfo.environment["SIGNET_REQUIRE_INTEROP"] == "1"
    }

    /// Runs a script of `Python/` and gives what it writes.
    @discardableResult
    static func run(_ script: String, _ arguments: [String], input: Data = Data()) throws -> Data {
        guard let interpreter else { throw Failure(description: absence) }
        let file = try #require(
            Bundle.module.url(forResource: script, withExtension: "py", subdirectory: "Python"))
        return try run(interpreter, ["-B", file.path] + arguments, input)
    }

    /// A step of a batch; nil parts are left out.
    struct Step: Encodable {
        var op: String
        var service: String?
        var account: String?
        var `class`: String?
        var group: String?
        var value: String?
        var label: String?
        var comment: String?
        var attributes: [String: String]?
        var type: String?
        var created: UInt64?
        var modified: UInt64?
        var level: String?
        var stopAfter: Int?
        var keeping: [[String: String]]?
        var method: [String: String]?

        init(_ op: String) { self.op = op }
    }

    /// What a step gave; of these, what it has.
    struct Answer: Decodable {
        let error: String?
        let absent: Bool?
        let removed: Bool?
        let value: String?
        let label: String?
        let comment: String?
        let attributes: [String: String]?
        let created: UInt64?
        let modified: UInt64?
        let type: String?
        let items: Items?
        let findings: [[String]]?

        /// A list of items, or a number of them.
        enum Items: Decodable {
            case list([Listed])
            case count(Int)

            init(from decoder: any Decoder) throws {
                let value = try decoder.singleValueContainer()
                if let count = try? value.decode(Int.self) {
                    self = .count(count)
                } else {
                    self = .list(try value.decode([Listed].self))
                }
            }
        }

        struct Listed: Decodable {
            let `class`: String
            let group: String
            let service: String
            let account: String
        }
    }

    private struct Task: Encodable {
        let path: String
        let method: [String: String]
        let create: Bool
        let steps: [Step]
    }

    /// Opens (or makes) a vault, takes the steps and closes it, all in one process.
    static func batch(
        _ path: String, _ method: [String: String], create: Bool = false, _ steps: [Step]
    )
        throws
        -> [Answer]
    {
        let task = Task(path: path, method: method, create: create, steps: steps)
        let output = try run("signetv1", ["batch"], input: JSONEncoder().encode(task))
        return try JSONDecoder().decode([Answer].self, from: output)
    }

    private static func run(_ executable: String, _ arguments: [String], _ input: Data) throws
        -> Data
    {
        let outcome = try ChildProgram.run(executable, arguments, input: Array(input))
        guard outcome.status == 0 else {
            throw Failure(
                description: "\(arguments): \(outcome.status): \(outcome.complaint)")
        }
        return Data(outcome.output)
    }
}
