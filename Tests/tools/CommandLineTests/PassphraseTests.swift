// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite("Passphrases")
struct PassphraseTests {
    @Test(
        "A passphrase is the first line of a file or descriptor, with any line end",
        .tags(.commandLine))
    func descriptorsAndFiles() throws {
        let folder = try CommandFolder()
        try folder.write("plain", "hello")
        let sealed = try folder.bash(
            "\"$SIGNET\" seal --passphrase-fd 3 --input plain --output sealed 3<<< 'open  sésame'")
        #expect(sealed.isGood, "\(sealed)")
        for words in [
            "open  sésame", "open  sésame\n", "open  sésame\r\n", "open  sésame\nsecond line\n",
        ] {
            try folder.write("words", words)
            let opened = try folder.signet("open --passphrase-file words --input sealed")
            #expect(opened.isGood && opened.text == "hello", "\(words.debugDescription): \(opened)")
        }
        #expect(
            try folder.bash(
                "printf 'open  sésame' | \"$SIGNET\" open --passphrase-fd 0 --input sealed"
            ).text
                == "hello")
        for words in [
            "open sésame", " open  sésame", "open  sésame ", "open  se\u{301}same",
            "open  sésame\r",
        ] {
            try folder.write("words", words)
            #expect(
                try folder.signet("open --passphrase-file words --input sealed").failed(
                    1, "authenticationFailure"))
        }
    }

    @Test("- is standard input, as for any other file")
    func standardInput() throws {
        let folder = try CommandFolder()
        try folder.write("plain", "hello")
        let made = try folder.signet(
            "seal --passphrase-file - --input plain --output sealed",
            input: "correct horse battery\n")
        #expect(made.isGood, "\(made)")
        let opened = try folder.bash(
            "\"$SIGNET\" open --passphrase-fd 3 --input sealed 3<<< 'correct horse battery'")
        #expect(opened.isGood && opened.text == "hello", "\(opened)")
        let both = try folder.signet("seal --passphrase-file -", input: "x")
        #expect(both.failed(2, "usage"), "\(both)")
    }

    @Test("A new passphrase that no one can type is told of")
    func untypable() throws {
        let folder = try CommandFolder()
        let words = Array("correct horse battery\n".utf8)
        let wide: [UInt8] = words.flatMap { [$0, 0] as [UInt8] }
        let contents: [([UInt8], isTold: Bool)] = [
            ([0xef, 0xbb, 0xbf] + words, true), ([0xff, 0xfe] + wide, true), (wide, true),
            (words, false),
        ]
        for (content, isTold) in contents {
            try folder.write("words", content)
            let made = try folder.signet(
                "seal --passphrase-file words --output sealed --force", input: "hello")
            #expect(made.status == 0, "\(made)")
            #expect(made.errors.contains("typed at a terminal it is another") == isTold, "\(made)")
            let opened = try folder.signet("open --passphrase-file words --input sealed")
            #expect(opened.isGood && opened.text == "hello", "\(opened)")
        }
    }

    @Test("A file of a passphrase that is there and cannot be read is named, with the reason")
    func unreadable() throws {
        let folder = try CommandFolder()
        try folder.write("long", "words\n" + String(repeating: "x", count: 5_000))
        for (name, reason) in [("long", "larger than the 4096 bytes"), (".", "Is a directory")] {
            let outcome = try folder.signet("seal --passphrase-file \(name)", input: "hello")
            #expect(outcome.status != 0 && outcome.output.isEmpty, "\(outcome)")
            #expect(outcome.errors.contains(reason), "\(outcome)")
            #expect(!outcome.errors.contains("not the passphrase"), "\(outcome)")
        }
    }

    @Test("A carriage return inside a passphrase belongs to it", .tags(.commandLine))
    func carriageReturn() throws {
        let folder = try CommandFolder()
        try folder.write("words", "a\rlong passphrase\n")
        try folder.write("a", "a\n")
        let sealed = try folder.signet("seal --passphrase-file words", input: "hello").output
        #expect(
            try folder.signet(["open", "--passphrase-file", "words"], input: sealed).text == "hello"
        )
        #expect(
            try folder.signet(["open", "--passphrase-file", "a"], input: sealed).failed(
                1, "authenticationFailure"))
    }

    @Test("An empty passphrase is refused")
    func empty() throws {
        let folder = try CommandFolder()
        try folder.write("words", "\n")
        #expect(
            try folder.signet("seal --passphrase-file words", input: "x").failed(
                1, "passphraseEmpty")
        )
    }

    @Test(
        "An empty or overlong passphrase, a closed descriptor and a missing file are refused",
        .tags(.commandLine))
    func refused() throws {
        let folder = try CommandFolder()
        try folder.write("plain", "hello")
        for words in ["", "\n", "\r\n", "\nsecond line"] {
            try folder.write("words", words)
            #expect(
                try folder.signet("seal --passphrase-file words --input plain").failed(
                    1, "passphraseEmpty"))
        }
        #expect(
            try folder.bash(
                "head -c 5000 /dev/zero | tr '\\0' a | \"$SIGNET\" seal --passphrase-fd 0 --input plain"
            ).failed(1, "tooLarge"))
        #expect(
            try folder.signet("seal --passphrase-fd 2147483647 --input plain")
                .failed(3, "system"))
        #expect(
            try folder.signet("seal --passphrase-fd=-1 --input plain").failed(2, "usage")
                || folder.signet("seal --passphrase-fd=-1 --input plain").failed(3, "system"))
        let absent = try folder.signet("seal --passphrase-file hunter2 --input plain")
        #expect(absent.failed(3, "system") && !absent.errors.contains("hunter2"))
        try folder.write("words", "a passphrase\n", permissions: 0o644)
        #expect(
            try folder.signet("seal --passphrase-file words --input plain").errors.contains(
                "warning")
        )
    }

    @Test("Without a terminal nothing is asked, and standard input is no answer")
    func noTerminal() throws {
        let folder = try CommandFolder()
        try folder.write("plain", "hello")
        let outcome = try folder.bash(
            "setsid --wait \"$SIGNET\" seal --passphrase --input plain",
            input: Array("a passphrase\na passphrase\n".utf8))
        #expect(
            outcome.failed(3, "system") && outcome.errors.contains("--passphrase-fd"), "\(outcome)")
    }

    @Test(
        "A terminal asks twice to seal, once to open, and shows nothing that is typed",
        .tags(.commandLine),
        .enabled(if: Program.python != nil || Program.isRequired, "python3 is not here"))
    func prompt() throws {
        let folder = try CommandFolder()
        try folder.write("plain", "hello")
        let script = try CommandFolder.require(
            Bundle.module.url(forResource: "Scripts/terminal", withExtension: "py")
        )
        .path
        let ask = { (answers: String, command: String) in
            try folder.bash("python3 -B '\(script)' '\(answers)' \"$SIGNET\" \(command)")
        }
        let sealed = try ask(
            "[\"ein Wort\",\"ein Wort\"]", "seal --passphrase --input plain --output sealed --json")
        #expect(sealed.status == 0 && sealed.text.contains("\"byteCount\":98"), "\(sealed)")
        #expect(sealed.text.contains("Passphrase: ") && sealed.text.contains("The same again: "))
        let opened = try ask("[\"ein Wort\"]", "open --passphrase --input sealed --output opened")
        #expect(try opened.status == 0 && folder.text("opened") == "hello", "\(opened)")
        #expect(!opened.text.contains("The same again"))
        let wrong = try ask("[\"kein Wort\"]", "open --passphrase --input sealed --output other")
        #expect(wrong.status == 1 && wrong.text.contains("[authenticationFailure]"), "\(wrong)")
        let different = try ask(
            "[\"ein Wort\",\"kein Wort\"]", "seal --passphrase --input plain --output other")
        #expect(
            different.status == 1 && different.text.contains("[passphraseMismatch]"), "\(different)"
        )
        #expect(try ask("[\"\"]", "seal --passphrase --input plain --output other").status == 1)
        let interrupted = try ask("[null]", "seal --passphrase --input plain --output other")
        #expect(interrupted.status == 130, "\(interrupted)")
        for outcome in [sealed, opened, wrong, different, interrupted] {
            #expect(!outcome.text.contains("Wort"))
        }
        #expect(try folder.names() == ["opened", "plain", "sealed"])
    }
}
