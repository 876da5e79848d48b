// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// System calls fail here as they do on file systems that no test can mount (`Scripts/faults.py`).
@Suite(
    "Files of the command line where the system refuses a call",
    .enabled(if: Program.python != nil || Program.isRequired, "python3 is not here"))
struct OutputFaultTests {
    private let folder: CommandFolder

    init() throws {
        folder = try CommandFolder()
        try folder.write("plain", Self.content)
        try folder.fixture("seal.key")
    }

    private static let content = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 % 251) }

    /// Runs a line of `signet` with faults.
    private func signet(_ line: String, faults: String) throws -> Outcome {
        let script = try CommandFolder.require(
            Bundle.module.url(forResource: "Scripts/faults", withExtension: "py")
        ).path
        let outcome = try folder.bash("python3 -B '\(script)' \(faults) -- \"$SIGNET\" \(line)")
        #expect(outcome.status != 77, "the kernel asks about no calls: \(outcome)")
        return outcome
    }

    @Test(
        "Where files without a name cannot be named, keys and sealed files are written",
        arguments: [
            "linkat=EPERM", "linkat=EOPNOTSUPP", "linkat=ENOENT", "linkat=EXDEV", "linkat=EACCES",
            "linkat=EINVAL", "linkat=ENOSYS", "linkat=ENOSYS renameat2=EINVAL",
            "linkat=EACCES renameat2=ENOSYS", "linkat=EPERM renameat2=EPERM",
        ])
    func otherWays(_ faults: String) throws {
        let sealed = try signet(
            "seal --new-key new.key --input plain --output sealed", faults: faults)
        #expect(sealed.isGood, "\(sealed)")
        let again = try signet(
            "seal --key-file new.key --input plain --output sealed --force", faults: faults)
        #expect(again.isGood, "\(again)")
        let kept = try signet(
            "seal --key-file new.key --input plain --output sealed", faults: faults)
        #expect(kept.failed(3, "exists"), "\(kept)")
        let opened = try folder.signet("open --key-file new.key --input sealed")
        #expect(opened.isGood && opened.output == Self.content)
        #expect(try folder.permissions("sealed") == 0o600 && folder.permissions("new.key") == 0o600)
        #expect(try folder.names() == ["new.key", "plain", "seal.key", "sealed"])
    }

    @Test(
        "A full or broken disk, and a name that another program takes, leave nothing",
        arguments: [
            ("renameat2=ENOSPC", "system"), ("renameat2=EIO", "system"),
            ("renameat2=EEXIST", "exists"),
        ])
    func refused(_ fault: String, _ code: String) throws {
        let outcome = try signet(
            "seal --key-file seal.key --input plain --output out", faults: "linkat=EPERM " + fault)
        #expect(outcome.failed(3, code), "\(outcome)")
        #expect(try folder.names() == ["plain", "seal.key"])
    }

    @Test("A signal leaves no part of a key, where the unfinished file has a name")
    func signalInKey() throws {
        let outcome = try signet(
            "seal --new-key new.key --input plain --output out", faults: "linkat=EPERM fsync=INT")
        #expect(outcome.status == 130, "\(outcome)")
        #expect(try folder.names() == ["plain", "seal.key"])
    }

    /// Each set of one key of a kind has the same length, by which the write is told.
    @Test("If the public half cannot be written, the key stays, and the message says where")
    func publicHalf() throws {
        let line = "jwk generate --output key.json --force --public"
        #expect(try folder.signet(line + " p").isGood)
        let outcome = try signet(
            line + " half.json", faults: "write:\(folder.read("p").count)=EIO")
        #expect(outcome.failed(3, "system") && outcome.output.isEmpty, "\(outcome)")
        for words in ["without its public half", "signet jwk convert --key "] {
            #expect(outcome.errors.contains(words), "\(outcome)")
        }
        #expect(!outcome.errors.contains("\"d\""))
        #expect(try folder.read("key.json") != folder.read("p"))
        #expect(try folder.names() == ["key.json", "p", "plain", "seal.key"])
    }

    /// The first chunk is read with an octet of the second, which asks for one less.
    @Test("A file that breaks while it is opened says that standard output has a part")
    func brokenInput() throws {
        #expect(try folder.signet("seal --key-file seal.key --input plain --output sealed").isGood)
        let outcome = try signet(
            "open --key-file seal.key --input sealed", faults: "read:65552=EIO")
        #expect(outcome.status == 3 && outcome.output == Array(Self.content.prefix(65_536)))
        #expect(outcome.errors.contains("has the first 65536 bytes"), "\(outcome.errors)")
    }

    @Test("What killed programs have left beside an output is removed after an hour")
    func leftovers() throws {
        let outcome = try folder.bash(
            """
            umask 077; touch .signet-1.tmp; touch -d '2 hours ago' .signet-2.tmp .signet-3.tmp.txt
            "$SIGNET" seal --key-file seal.key --input plain --output sealed && ls -A
            """)
        #expect(
            outcome.text == ".signet-1.tmp\n.signet-3.tmp.txt\nplain\nseal.key\nsealed\n",
            "\(outcome)")
    }

    @Test(
        "A folder that may not be written to is refused before a key is made or a passphrase read",
        .enabled(if: OrdinaryUser.isPossible, "an ordinary user cannot run the built program"))
    func closedFolder() throws {
        let outcome = try OrdinaryUser.run(
            folder,
            """
            mkdir -m 500 closed
            for key in '--new-key new' '--passphrase' '--key-file absent'; do
                "$SIGNET" seal $key --input plain --output closed/out; echo $?
            done
            "$SIGNET" seal --key-file seal.key --input plain --output plain/out; echo $?
            [[ -e new ]] || echo none
            """)
        #expect(outcome.text == "3\n3\n3\n3\nnone\n", "\(outcome)")
        let refused = outcome.errors.components(separatedBy: ": Permission denied")
        #expect(refused.count == 4, "\(outcome)")
        #expect(outcome.errors.contains("'plain': Not a directory"), "\(outcome)")
    }

    @Test(
        "An output that is no file is refused before a key is made",
        arguments: ["folder", "pipe", "link", "/dev/null", "/proc/absent"])
    func noFile(_ output: String) throws {
        let outcome = try folder.bash(
            """
            mkdir folder; mkfifo pipe; ln -s plain link
            "$SIGNET" seal --new-key new.key --input plain --output \(output) --force
            """)
        #expect(outcome.failed(3, "system"), "\(outcome)")
        #expect(!outcome.errors.contains("There is no folder"), "\(outcome)")
        #expect(try !folder.names().contains("new.key"))
    }
}
