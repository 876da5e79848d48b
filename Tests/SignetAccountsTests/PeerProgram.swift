// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetPlatform
import TestPrograms

/// Another implementation, as a program that is asked once.
struct PeerProgram {
    private let path: String

    /// Nil, with a printed word, where the program is not here; a failure where
    /// SIGNET_REQUIRE_INTEROP asks for it.
    static func find(_ name: String) throws -> PeerProgram? {
        try find(name, ["/usr/bin/", "/usr/local/bin/"].map { $0 + name })
    }

    /// Python with `cryptography`, of the environment that Scripts/interop-venv.sh makes.
    static func cryptography() throws -> PeerProgram? {
        let named = ProcessInfo.processInfo.environment["SIGNET_INTEROP_PYTHON"]
        let folder = FileManager.default.currentDirectoryPath
        return try find(
            "cryptography", [named ?? folder + "/.cache/interop-venv/bin/python3"])
    }

    private static func find(_ name: String, _ paths: [String]) throws -> PeerProgram? {
        let path = paths.first { FileManager.default.isExecutableFile(atPath: $0) }
        if let path { return PeerProgram(path: path) }
        guard ProcessInfo.processInfo.environment["SIGNET_REQUIRE_INTEROP"] != "1" else {
            throw Missing(name: name)
        }
        print("skipped: \(name) is not here (make test-deps, Scripts/interop-venv.sh)")
        return nil
    }

    /// What it writes, line by line. A thread of its own waits for it.
    func lines(_ arguments: [String]) async throws -> [String] {
        let program = try PipedProgram(path, arguments, environment: ["PATH": "/usr/bin:/bin"])
        let output = await withCheckedContinuation { continuation in
            let isRunning = SystemThread.start {
                var output: [UInt8] = []
                program.read { output += $0 }
                program.wait()
                continuation.resume(returning: output)
            }
            if !isRunning { continuation.resume(returning: []) }
        }
        return output.split(separator: UInt8(ascii: "\n")).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    struct Missing: Error { let name: String }
}
