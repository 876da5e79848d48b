// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetPlatform
import TestPrograms
import Testing

/// Another implementation, as a program that is asked once.
struct PeerProgram {
    let path: String

    /// Whether SIGNET_REQUIRE_INTEROP makes the absence of a program a failure.
    static var isRequired: Bool {
        ProcessInfo.processInfo.environment["SIGNET_REQUIRE_INTEROP"] == "1"
    }

    /// A program of the system. Tests that ask for it are marked `.needsProgram`.
    static func find(_ name: String) throws -> PeerProgram {
        try at(["/usr/bin/", "/usr/local/bin/"].map { $0 + name })
    }

    /// Python with `cryptography`, of the environment that Scripts/interop-venv.sh makes. Tests that
    /// ask for it are marked `.needsCryptography`.
    static func cryptography() throws -> PeerProgram {
        let named = ProcessInfo.processInfo.environment["SIGNET_INTEROP_PYTHON"]
        let folder = FileManager.default.currentDirectoryPath
        return try at([named ?? folder + "/.cache/interop-venv/bin/python3"])
    }

    private static func at(_ paths: [String]) throws -> PeerProgram {
        let path = paths.first { FileManager.default.isExecutableFile(atPath: $0) }
        guard let path else { throw Missing(paths: paths) }
        return PeerProgram(path: path)
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

    struct Missing: Error { let paths: [String] }
}

extension Trait where Self == ConditionTrait {
    /// Skips, with a message, if the program is not here, unless SIGNET_REQUIRE_INTEROP asks for it.
    static func needsProgram(_ name: String) -> Self {
        let isHere = (try? PeerProgram.find(name)) != nil
        return .enabled(
            if: isHere || PeerProgram.isRequired,
            Comment(rawValue: "\(name) is not here (make test-deps)"))
    }

    /// The same for Python with `cryptography`.
    static var needsCryptography: Self {
        let isHere = (try? PeerProgram.cryptography()) != nil
        return .enabled(
            if: isHere || PeerProgram.isRequired,
            "cryptography is not here (Scripts/interop-venv.sh)")
    }

    /// The same for Python with `standardwebhooks`.
    static var needsStandardWebhooks: Self {
        let python = try? PeerProgram.cryptography()
        let look = python.flatMap {
            try? ChildProgram.run($0.path, ["-c", "import standardwebhooks"])
        }
        return .enabled(
            if: look?.status == 0 || PeerProgram.isRequired,
            "standardwebhooks is not here (Scripts/interop-venv.sh)")
    }
}
