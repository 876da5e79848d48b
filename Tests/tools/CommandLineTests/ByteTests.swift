// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJSON
import SignetPlatform
import TestSupport
import Testing

@Suite("Names are text, and paths are bytes")
struct ByteTests {
    @Test("A name that is not UTF-8 is refused before anything is read or written (W01)")
    func names() throws {
        let folder = try CommandFolder()
        try folder.makeVault()
        let before = try folder.names()
        let outcome = try folder.bash(
            #"""
            keep() { "$SIGNET" vault set --service l1 --vault vault.signet --key-file vault.key "$@"; }
            printf one | keep --account $'M\374ller'; test $? = 2 || exit 11
            printf two | keep --account=$'M\344ller'; test $? = 2 || exit 12
            printf two | keep --label $'\377'; test $? = 2 || exit 13
            # A vault and a key that are not there are not looked for.
            "$SIGNET" vault get --service $'M\374ller' --vault absent --key-file absent
            test $? = 2 || exit 14
            "$SIGNET" vault list --vault vault.signet --key-file vault.key --json
            """#)
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.text == "{\"items\":[]}\n", "\(outcome)")
        #expect(
            outcome.errors.contains(#"The value 'M\374ller' is invalid for '--account <name>'"#)
                && outcome.errors.contains("It is not UTF-8."), "\(outcome)")
        #expect(try folder.names() == before)
    }

    @Test("A name with the characters that stand for bytes is kept as it is")
    func noncharacters() throws {
        let folder = try CommandFolder()
        try folder.makeVault()
        let marks: [UInt32] = [0xfddf, 0xfdec, 0xfdd0]
        let name = "a" + marks.compactMap { Unicode.Scalar($0) }.map { String($0) }.joined()
        try folder.keep("secret", "s", name)
        #expect(try folder.vault(["get", "--service", "s", "--account", name]).text == "secret")
        let list = try folder.vault("list --json").json
        #expect(list["items"]?.arrayValue?.first?["account"]?.text == name)
    }

    @Test("Files with names that are not UTF-8 are sealed, opened and written (W01c, W01d)")
    func files() throws {
        let folder = try CommandFolder()
        try folder.fixture("seal.key")
        let outcome = try folder.bash(
            #"""
            echo hi > $'f\374'
            mv seal.key $'k\374'
            "$SIGNET" seal --key-file $'k\374' --input $'f\374' --output=$'o\374.sealed' || exit 11
            test -e $'o\374.sealed' || exit 12
            "$SIGNET" open --key-file=$'k\374' --input $'o\374.sealed' || exit 13
            # The same file by another name is not replaced.
            ln -s . $'l\377'
            "$SIGNET" seal --key-file $'k\374' --output $'l\377/k\374' --force < $'f\374'
            test $? = 2 || exit 14
            "$SIGNET" open --key-file $'k\374' --input $'gone\374'; test $? = 3 || exit 15
            "$SIGNET" jwk generate --output $'j\374' --json
            ls | wc -l
            """#)
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.text.hasPrefix("hi\n") && outcome.text.hasSuffix("5\n"), "\(outcome)")
        #expect(outcome.text.contains(#""output":"j\\374""#), "\(outcome)")
        #expect(
            outcome.errors.contains(#"cannot open $'gone\374': No such file"#), "\(outcome)")
    }

    @Test("A vault and its folders are made, read and copied under the bytes given (W01b)")
    func vaults() throws {
        let folder = try CommandFolder()
        let outcome = try folder.bash(
            #"""
            mkdir -m 700 $'d\374'
            way=(--key-file $'d\374/k\376')
            export SIGNET_VAULT=$'d\374/v\375'
            "$SIGNET" vault init --new-key-file $'d\374/k\376' || exit 11
            printf one | "$SIGNET" vault set --service s "${way[@]}" || exit 12
            "$SIGNET" vault get --service s "${way[@]}" --read-only --newline || exit 13
            "$SIGNET" vault verify --json "${way[@]}" --anchor $'d\374/a\377' || exit 14
            "$SIGNET" vault backup --output $'d\374/b\377' || exit 15
            "$SIGNET" vault migrate --from $'file:d\374/b\377' --from-key-file "${way[1]}" \
                --to file --to-key-file "${way[1]}" --json || exit 16
            "$SIGNET" vault init --vault $'none\374/v' "${way[@]}"; test $? = 3 || exit 17
            unset SIGNET_VAULT
            HOME=$PWD/$'h\374' "$SIGNET" vault init --new-key-file $'d\374/k\376' || exit 18
            test -e $'h\374/.local/share/signet/vault.signet' || exit 19
            XDG_DATA_HOME=$PWD/$'x\374' "$SIGNET" vault init --new-key-file $'d\374/k\376' || exit 20
            test -e $'x\374/signet/vault.signet' || exit 21
            HOME=$PWD/$'h\374' "$SIGNET" vault list "${way[@]}" || exit 22
            test -e $'d\374/v\375' && test -e $'d\374/b\377' && test -e $'d\374/a\377'
            """#)
        #expect(outcome.status == 0, "\(outcome)")
        #expect(
            outcome.text.contains(#"made d\374/v\375"#)
                && outcome.text.contains(#""vault":"d\\374/v\\375""#), "\(outcome)")
        #expect(outcome.errors.contains(#"mkdir -p -m 700 $'none\374'"#), "\(outcome)")
    }

    @Test("Without /proc the arguments arrive (C05)")
    func withoutProc() throws {
        let folder = try CommandFolder()
        for name in ["seal.key", "key.sealed", "plaintext.txt"] { try folder.fixture(name) }
        // No vault: where there is no /proc, libdispatch ends a process after a second.
        let outcome = try folder.bash(
            #"""
            if ! unshare -m umount -l /proc 2> /dev/null; then
                echo "skipped: only root may take /proc away"
                exit
            fi
            if grep -qa __asan_init "$SIGNET"; then
                echo "skipped: AddressSanitizer needs /proc"
                exit
            fi
            unshare -m bash -c 'umount -l /proc && test ! -e /proc/self &&
                "$SIGNET" open --key-file seal.key --input key.sealed'
            """#)
        if outcome.text.hasPrefix("skipped") { return print(outcome.line) }
        #expect(outcome.status == 0, "\(outcome)")
        #expect(try outcome.output == folder.read("plaintext.txt"))
    }

    @Test(
        "Every value that names no file must be text, in every command",
        .tags(.commandLine, .sampled))
    func everyName() throws {
        let bytes = PathText.text(of: Array("M".utf8) + [0xfc])
        let values = try Self.values().filter { !$0.isPath }
        #expect(values.count > 200)
        for value in Effort.cases(values, oneOf: 7) {
            let line = value.words + (value.option.map { [$0] } ?? []) + [bytes]
            let outcome = CommandFolder.inProcess(line)
            #expect(outcome.failed(2, "usage"), "\(line): \(outcome)")
            // A number or one of a list, text, or what may be a secret.
            #expect(
                ["is invalid for", "is never an argument"].contains {
                    outcome.errors.contains($0)
                }, "\(line): \(outcome)")
        }
    }

    @Test(
        "Every option that names a file takes bytes, and no ~ that a shell was to expand",
        .tags(.commandLine, .sampled))
    func everyPath() throws {
        let bytes = PathText.text(of: [0xfc])
        let values = try Self.values().filter(\.isPath)
        #expect(values.count > 100)
        for value in Effort.cases(values, oneOf: 7) {
            guard let option = value.option else { continue }
            // Nothing is run, because there is no such option.
            let taken = CommandFolder.inProcess(value.words + [option, bytes, "--nonsense"])
            #expect(
                taken.failed(2, "usage") && !taken.errors.contains("is invalid for"),
                "\(value): \(taken)")
            let refused = CommandFolder.inProcess(value.words + ["\(option)=~/x"])
            #expect(
                refused.failed(2, "usage") && refused.errors.contains("does not expand ~")
                    && refused.errors.contains(#""$HOME/"#), "\(value): \(refused)")
        }
    }

    /// A value that a command takes.
    private struct Value {
        /// The command, without the program.
        let words: [String]
        /// The option; nil for an argument without a name.
        let option: String?
        let isPath: Bool
    }

    /// The values of all commands, as the parser lists them for other tools.
    private static func values() throws -> [Value] {
        let dump = CommandFolder.inProcess("--experimental-dump-help")
        let root = try JSONSerialization.jsonObject(with: Data(dump.output)) as? [String: Any]
        return values(of: root?["command"] as? [String: Any] ?? [:], after: [])
            .filter { $0.words.first != "help" }
    }

    private static func values(of command: [String: Any], after words: [String]) -> [Value] {
        let arguments = command["arguments"] as? [[String: Any]] ?? []
        let own = arguments.filter { $0["kind"] as? String != "flag" }.compactMap { argument in
            let names = argument["names"] as? [[String: String]] ?? []
            let name = names.first { $0["kind"] == "long" }?["name"]
            let completion = argument["completionKind"] as? [String: Any] ?? [:]
            let isPath = completion["file"] != nil || completion["directory"] != nil
            return name == "generate-completion-script"
                ? nil : Value(words: words, option: name.map { "--\($0)" }, isPath: isPath)
        }
        let inner = (command["subcommands"] as? [[String: Any]] ?? []).flatMap { inner in
            values(of: inner, after: words + [inner["commandName"] as? String ?? ""])
        }
        return own + inner
    }
}
