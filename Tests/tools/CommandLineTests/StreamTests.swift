// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import TestSupport
import Testing

/// Output arrives, or the status says that it did not; no signal ends the process.
@Suite("Standard streams")
struct StreamTests {
    static let commands = [
        "jwk generate", "jwk public --key key.json", "jws sign --key key.json --input message",
        "jws verify --key jwks.json --json < token",
        "jws verify --key jwks.json < token", "jwt inspect --json < jwt",
        "seal --key-file seal.key --input message", "--help", "--version",
        "audit", "open --key-file seal.key --input sealed",
        "jws verify --json --key absent < token",
        "vault get --service s --vault vault.signet --key-file vault.key",
        "vault list --vault vault.signet --key-file vault.key",
        "vault verify --vault vault.signet --key-file vault.key",
    ]

    private func folder() throws -> CommandFolder {
        let folder = try CommandFolder()
        try folder.makeKeys()
        try folder.write("message", "hello")
        try folder.write("token", folder.signet("jws sign --key key.json --input message").output)
        try folder.write(
            "jwt", folder.signet("jwt sign --key key.json --lifetime 60", input: "{}").output)
        try folder.signet("seal --new-key seal.key --input message --output sealed")
        try folder.makeVault()
        try folder.keep("hello", "s")
        return folder
    }

    @Test(
        "A pipe without a reader, a full disk, a closed output: status 3, and no signal",
        .tags(.commandLine), arguments: commands
    )
    func lostOutput(_ command: String) throws { try expectLostOutput(of: command, at: folder()) }

    @Test("A version that cannot be written: status 3, and no signal")
    func lostVersion() throws { try expectLostOutput(of: "--version", at: CommandFolder()) }

    private func expectLostOutput(of command: String, at folder: CommandFolder) throws {
        for script in [
            "exec 3> >(exec true); sleep 0.2; \"$SIGNET\" \(command) >&3",
            "\"$SIGNET\" \(command) > /dev/full", "\"$SIGNET\" \(command) >&-",
        ] {
            let outcome = try folder.bash(script)
            #expect(
                outcome.status == 3 && !outcome.wasKilled && outcome.output.isEmpty,
                "\(script): \(outcome)")
            // A reader that has gone wants to hear no more.
            if script.contains(">&3"), !command.contains("absent") {
                #expect(outcome.errors.isEmpty, "\(script): \(outcome)")
            } else {
                #expect(
                    outcome.errors.contains("standard output") || command.contains("absent"),
                    "\(script): \(outcome)")
            }
        }
    }

    @Test("A pipe that its reader closes early ends a command quietly")
    func quiet() throws {
        let folder = try CommandFolder()
        for command in ["--help", "jwk generate", "jwk generate --json --output k"] {
            let outcome = try folder.bash(
                "{ exec 3> >(exec true); sleep 0.2; } 2>&1; \"$SIGNET\" \(command) >&3")
            #expect(outcome.status == 3 && !outcome.wasKilled, "\(outcome)")
            #expect(outcome.errors.isEmpty && outcome.output.isEmpty, "\(outcome)")
        }
        let long = try folder.bash(
            "\"$SIGNET\" --generate-completion-script bash | head -n 1; exit ${PIPESTATUS[0]}")
        #expect(
            (long.status == 0 || long.status == 3) && !long.wasKilled && long.errors.isEmpty,
            "\(long)")
    }

    @Test("A pipe closed in the middle: status 3, and no signal", .tags(.commandLine))
    func half() throws {
        // The signal could reach the program.
        #expect(try folder().bash("yes | head -c 1; exit ${PIPESTATUS[0]}").status == 128 + 13)
        let outcome = try folder().bash(
            "\"$SIGNET\" audit --junit | head -c 100 > /dev/null; exit ${PIPESTATUS[0]}")
        #expect(
            outcome.status == 3 && !outcome.wasKilled && outcome.errors.isEmpty, "\(outcome)")
    }

    @Test(
        "A file that is opened never gets the number of a closed stream",
        .tags(.commandLine))
    func closedStreams() throws {
        let folder = try folder()
        let all = try folder.bash("\"$SIGNET\" jwk generate --output new.json <&- >&- 2>&-")
        #expect(try all.status == 0 && JWK(folder.text("new.json")).isPrivate)
        let loud = try folder.bash("\"$SIGNET\" jwk generate --output loud.json --json >&- 2>&-")
        #expect(try loud.status == 3 && JWK(folder.text("loud.json")).isPrivate)
        #expect(try folder.bash("\"$SIGNET\" jws verify --key jwks.json <&-").status == 3)
        #expect(try folder.bash("\"$SIGNET\" jws sign --key key.json < message 2>&-").status == 0)
        #expect(
            try folder.bash("\"$SIGNET\" jws sign --key absent < message 2> /dev/full").status == 3)
    }

    @Test("A slow pipe gets all of the output", .tags(.commandLine))
    func slowPipe() throws {
        let folder = try folder()
        try folder.bash("head -c 3000000 /dev/zero > large")
        let outcome = try folder.bash(
            """
            python3 -c 'import os; os.set_blocking(1, False)' 2> /dev/null || exit 77
            { python3 -c 'import os, sys; os.set_blocking(1, False); os.execv(sys.argv[1], sys.argv[1:])' \
                "$SIGNET" seal --key-file seal.key --input large; echo $? > status; } | { sleep 1; wc -c; }
            """)
        guard outcome.status != 77 else { return }
        #expect(
            try outcome.line.split(separator: " ") == ["3000813"] && folder.text("status") == "0\n",
            "\(outcome)")
    }

    /// The shell's file-size limit stands in for a full disk; it applies to the child only.
    @Test("A full disk leaves the old file, and no partial one", .tags(.commandLine))
    func fullDisk() throws {
        let folder = try folder()
        try folder.write("big", [UInt8](repeating: 2, count: 100_000))
        let before = try folder.read("sealed")
        let names = try folder.names()
        let outcome = try folder.bash(
            "ulimit -f 16; \"$SIGNET\" seal --key-file seal.key --input big --output sealed --force"
        )
        #expect(outcome.status == 3 && !outcome.wasKilled, "\(outcome)")
        #expect(try folder.read("sealed") == before)
        #expect(try folder.names() == names)
    }

    @Test(
        "A file-size limit: status 3, no signal, and no partial file",
        .tags(.commandLine))
    func fileSizeLimit() throws {
        let folder = try folder()
        try folder.bash(
            "head -c 300000 /dev/zero > large; \"$SIGNET\" seal --key-file seal.key --input large --output all"
        )
        for command in [
            "open --key-file seal.key --input all --output plain",
            "seal --key-file seal.key --input large --output sealed2",
            "open --key-file seal.key --input all > streamed",
        ] {
            let outcome = try folder.bash("ulimit -f 100; \"$SIGNET\" \(command)")
            #expect(outcome.status == 3 && !outcome.wasKilled, "\(command): \(outcome)")
        }
        #expect(try folder.bash("ls -A | grep -E 'tmp|plain|sealed2' || echo none").line == "none")
    }
}
