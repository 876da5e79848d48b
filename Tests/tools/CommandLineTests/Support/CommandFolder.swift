// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPrograms
import TestSupport

/// A folder to run the command in, removed with its owner.
final class CommandFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "signet-cli-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Runs `signet` in the folder. Names without a slash are files in it.
    @discardableResult
    func signet(
        _ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:]
    ) throws -> Outcome {
        try run([Program.signet] + arguments, input, environment)
    }

    /// Runs `signet` with the words of a line.
    @discardableResult
    func signet(_ line: String, input: String = "") throws -> Outcome {
        try signet(line.split(separator: " ").map(String.init), input: Array(input.utf8))
    }

    /// Runs a line of bash, in which `$SIGNET` is the command: for pipes and descriptors.
    @discardableResult
    func bash(_ script: String, input: [UInt8] = []) throws -> Outcome {
        try run(
            ["/usr/bin/env", "bash", "-c", "set -o pipefail; " + script], input,
            ["SIGNET": Program.signet])
    }

    /// The absolute path of a file in the folder, for what runs in the process of the tests.
    func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    @discardableResult
    func write(_ name: String, _ content: [UInt8], permissions: Int = 0o600) throws -> String {
        let file = url.appendingPathComponent(name).path
        try Data(content).write(to: URL(fileURLWithPath: file))
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: file)
        return name
    }

    @discardableResult
    func write(_ name: String, _ content: String, permissions: Int = 0o600) throws -> String {
        try write(name, Array(content.utf8), permissions: permissions)
    }

    /// A copy of a file of the package's, for its owner alone, as Git does not keep it.
    @discardableResult
    func fixture(_ name: String) throws -> String {
        let file = try CommandFolder.require(
            Bundle.module.url(forResource: "Fixtures/" + name, withExtension: nil))
        return try write(name, [UInt8](Data(contentsOf: file)))
    }

    func read(_ name: String) throws -> [UInt8] {
        try FileHandle(forReadingFrom: url.appendingPathComponent(name)).readToEnd().map(
            [UInt8].init) ?? []
    }

    func text(_ name: String) throws -> String { String(decoding: try read(name), as: UTF8.self) }

    func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: url.appendingPathComponent(name).path)
    }

    func permissions(_ name: String) throws -> Int? {
        let file = url.appendingPathComponent(name).path
        return try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    }

    /// The names of the folder, in order: to see that nothing was left behind.
    func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
    }

    static func require<T>(_ value: T?) throws -> T {
        guard let value else { throw CocoaError(.fileNoSuchFile) }
        return value
    }

    private func run(
        _ command: [String], _ input: [UInt8], _ environment: [String: String]
    ) throws -> Outcome {
        var all = ProcessInfo.processInfo.environment
        for name in [
            "SIGNET_TEST_VECTORS", "SIGNET_WYCHEPROOF", "SIGNET_VAULT", "XDG_DATA_HOME", "COLUMNS",
        ] {
            all[name] = nil
        }
        // timeout ends with the status, or by the signal, of what it runs.
        let outcome = try ChildProgram.run(
            Program.timeout, ["--foreground", "--kill-after=5", "600"] + command, input: input,
            environment: all.merging(environment) { _, new in new }, folder: url.path)
        return Outcome(
            status: outcome.status, wasKilled: outcome.end.wasKilled, output: outcome.output,
            errors: outcome.complaint)
    }
}
