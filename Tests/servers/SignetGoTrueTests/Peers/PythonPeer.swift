// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// Python with the packages that `Scripts/interop-venv.sh` installs.
enum PythonPeer {
    static let interpreter: String? = {
        let named = ProcessInfo.processInfo.environment["SIGNET_INTEROP_PYTHON"]
        let path =
            named ?? FileManager.default.currentDirectoryPath + "/.cache/interop-venv/bin/python3"
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }()

    static let hasClient = has("supabase_auth")
    static let hasSchemathesis = has("schemathesis")
    static var isRequired: Bool { KeyServer.isRequired }

    /// GoTrue's published description, where a checkout has it beside itself.
    static let description: String? = {
        let path =
            FileManager.default.currentDirectoryPath + "/../shared/reference/gotrue/openapi.yaml"
        return FileManager.default.isReadableFile(atPath: path) ? path : nil
    }()

    private static func has(_ module: String) -> Bool {
        guard let interpreter else { return false }
        let question =
            "import importlib.util as u, sys; sys.exit(u.find_spec('\(module)') is None)"
        return (try? Dialogue(interpreter, ["-c", question]).end()) == 0
    }

    static func start(_ script: String) throws -> Dialogue {
        guard let interpreter else {
            throw ServingProgram.Failure(
                description: "Scripts/interop-venv.sh has not been run, or could not install")
        }
        return try Dialogue(interpreter, ["-B", "-u", Front.path(of: script)])
    }
}
