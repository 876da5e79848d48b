// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import Testing

@Suite("signet vault: SERVICE/ACCOUNT, short names and copies")
struct VaultNameTests {
    @Test("SERVICE/ACCOUNT names an item, and the last slash divides")
    func positional() throws {
        let folder = try CommandFolder()
        try folder.makeVault()
        #expect(try folder.vault("set s/a", input: [1]).line == "kept service 's', account 'a'")
        #expect(try folder.vault("get --service s --account a").output == [1])
        #expect(try folder.vault("set https://git.example/me", input: [2]).isGood)
        let url = try folder.vault("get https://git.example/me --json").json
        #expect(url["service"]?.text == "https://git.example" && url["account"]?.text == "me")
        #expect(try folder.vault("set s/a --class token --group g", input: [3]).isGood)
        #expect(try folder.vault("get s/a").output == [1])
        #expect(try folder.vault("get s/a --class token --group g").output == [3])
        // A mark after the slash makes another Character of it.
        #expect(try folder.vault("set m/\u{301}x", input: [4]).isGood)
        let mark = try folder.vault("get m/\u{301}x --json").json["account"]?.text
        #expect(mark?.unicodeScalars.elementsEqual("\u{301}x".unicodeScalars) == true)
        #expect(try folder.vault("remove s/a").isGood)
        #expect(try folder.vault("get s/a").failed(1, "absent"))
    }

    @Test(
        "A name that is not SERVICE/ACCOUNT is refused before anything is asked for or opened",
        arguments: [
            "get", "get s", "get /a", "get s/", "get /", "get s/a --service s",
            "get s/a --account a", "get --account a", "remove", "remove s", "copy a/b",
            "copy a/b c", "copy a c/d", "copy a/b a/b", "copy a/b c/d e/f", "set hunter2",
            "set --service s hunter2", "set s/a hunter2", "set s --account hunter2",
        ])
    func refused(_ line: String) {
        let outcome = CommandFolder.inProcess("vault \(line) --vault \(CommandFolder.nowhere)/v")
        #expect(outcome.failed(2, "usage"), "\(outcome)")
        #expect(!outcome.errors.contains("hunter2"), "\(outcome)")
        if line.hasPrefix("set") {
            let errors = outcome.errors.lowercased()
            #expect(errors.contains("a value is never an argument"), "\(outcome)")
        }
    }

    @Test("Lists print what get takes, in a shell, whatever the name is")
    func listed() throws {
        let folder = try CommandFolder()
        try folder.makeVault()
        let names = [
            ["s/a"], ["https://git.example/me"], ["-x/a"], ["é/ü"], ["two words/it's"],
            ["~/a"], ["$HOME/`id`"], ["*/?"], ["line\nend/\u{1b}[31m\u{202e}"], ["a=b/c"],
            ["--service", "alone"], ["--service", "s", "--account", "a/b"],
            ["--service", "s/", "--account", ""], ["--service", "-x"],
            ["--service=-x", "--account=--"], ["--service", "s", "--account", "a", "--group=--"],
            ["s/a", "--class", "token"], ["s/a", "--group", "a group"],
        ]
        for (index, name) in names.enumerated() {
            let words = name[0] == "-x/a" ? ["--service", "-x", "--account", "a"] : name
            let outcome = try folder.vault(["set"] + words, input: Array("\(index)".utf8))
            #expect(outcome.isGood, "\(outcome)")
        }
        let table = try folder.vault("list")
        #expect(table.isGood && !table.text.contains("\u{1b}") && !table.text.contains("\u{202e}"))
        for whole in ["s/a ", "https://git.example/me ", "--service alone ", "é/ü "] {
            #expect(table.text.contains("\n" + whole), "\(table)")
        }
        #expect(table.text.contains("\n--service s --account a/b "), "\(table)")
        #expect(table.text.contains("\ns/a --class token "), "\(table)")
        let values = try folder.bash(
            #"""
            way="--vault vault.signet --key-file vault.key"
            "$SIGNET" vault ls $way | tail -n +2 | sed -E 's/ +20[0-9]{2}-[0-9T:-]+Z$//' > items
            while IFS= read -r item; do
                eval "\"\$SIGNET\" vault get $way $item" || echo "not taken: $item"; echo
            done < items
            """#)
        #expect(values.isGood, "\(values)")
        let read = values.text.split(separator: "\n").map(String.init).sorted()
        #expect(read == names.indices.map(String.init).sorted(), "\(values) \(table.text)")
    }

    @Test("ls, rm and cp are list, remove and copy, with the same help and advice")
    func aliases() throws {
        let folder = try CommandFolder()
        try folder.makeVault()
        try folder.keep("x", "s", "a")
        #expect(try folder.items("ls") == ["s/a"])
        #expect(try folder.vault("cp s/a s/b").isGood)
        #expect(try folder.vault("rm s/a").isGood)
        #expect(try folder.items("list") == ["s/b"])
        for (alias, name) in [("ls", "list"), ("rm", "remove"), ("cp", "copy")] {
            let help = CommandFolder.inProcess("vault \(alias) --help")
            #expect(help.isGood && help.text.contains("USAGE: signet vault \(name)"), "\(help)")
            #expect(CommandFolder.inProcess("help vault \(alias)").output == help.output)
            let wrong = CommandFolder.inProcess("vault \(alias) --nonsense")
            #expect(wrong.advice == "signet vault \(name) --help says more.", "\(wrong)")
        }
        try folder.write("other.key", String(repeating: "A", count: 42) + "E=")
        let refused = try folder.signet("vault ls --vault vault.signet --key-file other.key")
        #expect(refused.failed(1, "authenticationFailure"), "\(refused)")
        #expect(refused.advice?.contains("signet vault slot list --vault") == true, "\(refused)")
    }

    @Test("A copy has the item's value and details, and replaces nothing without --force")
    func copies() throws {
        let folder = try CommandFolder()
        try folder.makeVault()
        let value: [UInt8] = [0, 0xff, 0x0a]
        let set = try folder.vault(
            "set s/a --label l --comment c --attribute x=y --type json --class token", input: value)
        #expect(set.isGood, "\(set)")
        let copy = try folder.vault("copy s/a t/b --class token --json")
        #expect(copy.isGood, "\(copy)")
        let json = try copy.json
        #expect(json["label"]?.text == "l" && json["comment"]?.text == "c")
        #expect(
            json["attributes"] == .object(["x": .string("y")]) && json["class"]?.text == "token")
        #expect(json["type"]?.text == "json" && json["service"]?.text == "t")
        #expect(try folder.vault("get t/b --class token").output == value)
        #expect(try folder.vault("copy s/a t/b").failed(1, "absent"))

        #expect(try folder.vault("set t/b --class token --label kept", input: [1]).isGood)
        let second = try folder.vault("copy s/a t/b --class token")
        #expect(second.failed(1, "alreadyExists") && second.advice == "To replace it: --force")
        #expect(try folder.vault("get t/b --class token").output == [1])
        #expect(try folder.vault("copy s/a t/b --class token --force").isGood)
        #expect(try folder.vault("get t/b --class token").output == value)
        #expect(try folder.vault("get t/b --class token --json").json["label"]?.text == "l")
        #expect(try folder.items("list").count == 2)
    }
}
