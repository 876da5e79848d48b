// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetSMTP
import TestPrograms
import TestSupport

/// The mail servers of `smtp_server.py`. They end with their owner.
final class MailServer: Sendable {
    struct Message: Decodable {
        let from: String
        let recipients: [String]
        let greeting: String
        let isEncrypted: Bool
        let isSignedIn: Bool
        let raw: Data
        let subject: String
        let sender: String
        let to: String
        let id: String
        let date: Int
        let body: String
        let type: String
        let names: [String]
        let defects: Int
    }

    private struct Configuration: Encodable { let folder: String }
    private struct Ready: Decodable {
        let ports: [String: Int]
        let authority: String
    }
    private struct Answer: Decodable { let messages: [Message] }

    static let interpreter: String? = {
        let named = ProcessInfo.processInfo.environment["SIGNET_INTEROP_PYTHON"]
        let path =
            named ?? FileManager.default.currentDirectoryPath + "/.cache/interop-venv/bin/python3"
        guard FileManager.default.isExecutableFile(atPath: path) else { return nil }
        let look = try? ChildProgram.run(path, ["-c", "import aiosmtpd, cryptography"])
        return look?.status == 0 ? path : nil
    }()
    static var isAvailable: Bool { interpreter != nil }
    static var isRequired: Bool {
        ProcessInfo.processInfo.environment["SIGNET_REQUIRE_INTEROP"] == "1"
    }
    static let absence =
        "aiosmtpd is not here: Scripts/interop-venv.sh installs it where Python 3 is"

    let authority: String
    private let ports: [String: Int]
    private let program: ServingProgram
    private let folder: PrivateFolder

    init() async throws {
        guard let interpreter = Self.interpreter,
            let script = Bundle.module.url(
                forResource: "smtp_server", withExtension: "py", subdirectory: "Scripts")
        else { throw ServingProgram.Failure(description: Self.absence) }
        folder = try PrivateFolder()
        program = try ServingProgram(interpreter, ["-B", "-u", script.path])
        let ready = try await program.tell(Configuration(folder: folder.path), as: Ready.self)
        (ports, authority) = (ready.ports, ready.authority)
    }

    func port(_ name: String) -> Int { ports[name] ?? 0 }

    /// What was accepted since the last call.
    func messages() async throws -> [Message] {
        try await program.tell([String: String](), as: Answer.self).messages
    }
}
