// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The other implementations that run in Python, one process for one batch of questions.
enum Python {
    /// The environment that `Scripts/interop-venv.sh` makes with the pinned libraries; relative to the package, which is
    /// where swift test runs. `SIGNET_INTEROP_PYTHON` names another interpreter that has them.
    static let interpreter: Command? = {
        let named = ProcessInfo.processInfo.environment["SIGNET_INTEROP_PYTHON"]
        let path =
            named ?? FileManager.default.currentDirectoryPath + "/.cache/interop-venv/bin/python3"
        guard FileManager.default.isExecutableFile(atPath: path) else { return nil }
        let python = Command(executable: path)
        let imported = try? python.outcome(of: [
            "-c",
            // Importing mcp costs more than all the others together.
            "import jwt, joserfc, jwcrypto, cryptography, authlib, flask, importlib.util as u, sys; "
                + "sys.exit(u.find_spec('mcp') is None)",
        ])
        return imported?.status == 0 ? python : nil
    }()

    static var isAvailable: Bool { interpreter != nil }

    /// Why tests skip, as swift test shows it.
    static let absence =
        "PyJWT, joserfc, jwcrypto, Authlib and mcp are not here: Scripts/interop-venv.sh installs them where "
        + "Python 3 is"

    /// Whether a missing implementation is a failure: it is where CI depends on these tests.
    static var isRequired: Bool {
        ProcessInfo.processInfo.environment["SIGNET_REQUIRE_INTEROP"] == "1"
    }

    static func ask<Question: Encodable, Value: Decodable>(
        _ script: String, _ question: Question, as type: Value.Type
    ) throws -> Value {
        guard let interpreter else { throw Command.Failure(description: absence) }
        let output = try interpreter.run(
            ["-B", try path(of: script)], input: JSONEncoder().encode(question))
        return try JSONDecoder().decode(type, from: output)
    }

    static func path(of script: String, extension suffix: String = "py") throws -> String {
        guard
            let url = Bundle.module.url(
                forResource: script, withExtension: suffix, subdirectory: "Scripts")
        else { throw Command.Failure(description: "no script \(script).\(suffix)") }
        return url.path
    }
}
