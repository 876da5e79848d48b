// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJOSE
import TestSupport
import Testing

/// A folder with a home, a browser, and the provider of `make demo`.
struct LoginFixture {
    let folder: CommandFolder
    let issuer: String
    private let provider: ServingProgram

    /// - Parameter lifetime: of access tokens, in seconds.
    init(lifetime: Int = 3600) async throws {
        folder = try CommandFolder()
        provider = try ServingProgram(
            try CommandFolder.require(Program.python),
            ["-B", "-u", Self.demo + "/issuer.py", Program.signet, folder.url.path, "\(lifetime)"])
        issuer = try await provider.said(String.self)
        try FileManager.default.createDirectory(
            atPath: folder.path("home"), withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
    }

    /// Runs a script in which `$SIGNET` is the command and `$BROWSER` a display; without a keyring.
    @discardableResult
    func run(_ script: String) throws -> Outcome {
        try folder.bash(Self.home + "ISSUER=\(issuer); CLIENT=\"--client-id cli\"\n" + script)
    }

    /// The same at a terminal, where the answers are typed one at each question.
    func terminal(_ answers: [String], _ command: String) throws -> Outcome {
        let script = try CommandFolder.require(
            Bundle.module.url(forResource: "Scripts/terminal", withExtension: "py"))
        let list = "[" + answers.map { "\"\($0)\"" }.joined(separator: ",") + "]"
        return try run("python3 -B '\(script.path)' '\(list)' \"$SIGNET\" \(command)")
    }

    /// Signs in with the browser.
    func signIn(_ more: String = "") throws {
        let login = try run(
            "DISPLAY=:0 \"$SIGNET\" login --issuer $ISSUER $CLIENT \(more) 2> errors")
        let errors = try folder.text("errors")
        #expect(login.status == 0, "\(login) \(errors)")
    }

    /// What the provider has been asked for.
    func facts() throws -> [String: Int] {
        let answer = try run("\(Self.fetch) $ISSUER/facts")
        guard case .object(let facts) = try JSONValue(JSONDocument(answer.output).root) else {
            return [:]
        }
        return facts.compactMapValues {
            if case .integer(let count) = $0 { Int(count) } else { nil }
        }
    }

    /// How the provider behaves from now on.
    func behave(_ how: String) throws {
        #expect(try run("\(Self.fetch) \"$ISSUER/behave?\(how)\"").status == 0)
    }

    static let demo = FileManager.default.currentDirectoryPath + "/Scripts/demo"

    /// Asks for an address and prints what comes.
    static let fetch =
        "python3 -c 'import sys,urllib.request as u; print(u.urlopen(sys.argv[1]).read().decode())'"

    private static let home = """
        unset XDG_RUNTIME_DIR XDG_DATA_HOME XDG_STATE_HOME
        unset SSH_CONNECTION SSH_CLIENT SSH_TTY DISPLAY WAYLAND_DISPLAY
        export DBUS_SESSION_BUS_ADDRESS="unix:path=$PWD/none"
        export HOME="$PWD/home" PATH="\(demo)/bin:$PATH" SIGNET_DEMO_PAGE="$PWD/page"

        """
}
