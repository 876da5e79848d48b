// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJOSE
import TestSupport
import Testing

@Suite("signet vault: items")
struct VaultItemTests {
    static let values: [[UInt8]] = [
        [], [0], Array("secret\n".utf8), Array(0...255), [0xff, 0xfe],
        Array(repeating: 7, count: 1_000_003),
    ]

    @Test("An item is set, read, found and removed")
    func oneItem() throws {
        let folder = try CommandFolder()
        try folder.makeVault()
        let value: [UInt8] = [0, 0xff, 0x0a]
        #expect(try folder.vault("set --service s --account a", input: value).isGood)
        #expect(try folder.vault("get --service s --account a").output == value)
        #expect(try folder.items("search S") == ["s/a"])
        #expect(try folder.vault("remove --service s --account a").isGood)
        #expect(try folder.vault("remove --service s --account a").failed(1, "absent"))
    }

    @Test(
        "A value typed at a terminal is asked for twice and not shown",
        .enabled(if: Program.python != nil || Program.isRequired, "python3 is not here"))
    func typed() throws {
        let folder = try CommandFolder()
        try folder.makeVault()
        let set = try folder.terminal(
            ["ein Wort", "ein Wort"],
            "vault set --vault vault.signet --key-file vault.key --service s")
        #expect(
            set.status == 0 && set.text.contains("Value: ") && !set.text.contains("Wort"), "\(set)")
        #expect(try folder.vault("get --service s").text == "ein Wort")
    }

    @Test(
        "A value comes back byte for byte, through streams and files", .tags(.commandLine),
        arguments: values)
    func roundTrip(_ value: [UInt8]) throws {
        let folder = try CommandFolder()
        try folder.makeVault()
        let set = try folder.vault("set --service s --account a", input: value)
        #expect(set.isGood && set.line == "kept service 's', account 'a'", "\(set)")
        let get = try folder.vault("get --service s --account a")
        #expect(get.isGood && get.output == value)
        try folder.write("value", value)
        #expect(try folder.vault("set --service s --account b --value-file value").isGood)
        #expect(try folder.vault("get --service s --account b").output == value)
        #expect(try folder.vault("get --service s --account b --newline").output == value + [0x0a])
        let piped = try folder.bash(
            "\"$SIGNET\" vault get --vault vault.signet --key-file vault.key --service s --account a | cat"
        )
        #expect(piped.isGood && piped.output == value)
    }

    @Test("A replaced value keeps the details that are not named", .tags(.commandLine))
    func replaced() throws {
        let folder = try CommandFolder()
        try folder.makeVault()
        let first = try folder.vault(
            [
                "set", "--service", "s", "--label", "A label", "--comment", "-dash", "--attribute",
                "env=prod",
                "--attribute", "a=b=c", "--type", "string", "--json",
            ], input: [1])
        #expect(first.isGood, "\(first)")
        let json = try first.json
        #expect(json["label"]?.text == "A label" && json["comment"]?.text == "-dash")
        #expect(json["attributes"] == .object(["env": .string("prod"), "a": .string("b=c")]))
        #expect(json["type"]?.text == "string" && json["class"]?.text == "generic")
        #expect(json["created"]?.text?.hasSuffix("Z") == true && json["value"] == nil)
        #expect(try folder.vault("set --service s", input: [2]).isGood)
        #expect(
            try folder.vault("set --service s --attribute env=test --label new", input: [3]).isGood)
        let kept = try folder.vault("get --service s --json").json
        #expect(kept["label"]?.text == "new" && kept["comment"]?.text == "-dash")
        #expect(kept["attributes"] == .object(["env": .string("test"), "a": .string("b=c")]))
        #expect(try folder.vault("get --service s").output == [3])
        #expect(kept["created"] == json["created"])
    }

    @Test("An absent item is status 1 with its own code, and prints nothing", .tags(.commandLine))
    func absent() throws {
        let folder = try CommandFolder()
        try folder.makeVault()
        try folder.keep("x", "s", "a")
        for line in [
            "get --service s", "get --service t --account a",
            "get --service s --account a --class token",
            "get --service s --account a --group g", "get --service S --account a",
            "remove --service s",
            "get --service s --account b --newline",
        ] {
            #expect(try folder.vault(line).failed(1, "absent"), "\(line)")
        }
        let json = try folder.vault("get --service t --json")
        #expect(try json.status == 1 && json.json["error"]?["code"]?.text == "absent")
        #expect(try folder.vault("remove --service s --if-present").isGood)
        #expect(
            try folder.vault("remove --service s --account a --json").json
                == .object(["removed": .bool(true)]))
        #expect(
            try folder.vault("remove --service s --account a --if-present --json").json
                == .object(["removed": .bool(false)]))
        #expect(try folder.vault("get --service s --account a").failed(1, "absent"))
    }

    @Test("--if-absent leaves an existing item", .tags(.commandLine))
    func ifAbsent() throws {
        let folder = try CommandFolder()
        try folder.makeVault()
        #expect(try folder.vault("set --service s --if-absent --label l", input: [1]).isGood)
        #expect(
            try folder.vault("set --service s --if-absent", input: [2]).failed(1, "alreadyExists"))
        #expect(try folder.vault("get --service s").output == [1])
        #expect(try folder.vault("get --service s --json").json["label"]?.text == "l")
    }

    @Test("Class, group and account distinguish items", .tags(.commandLine))
    func keys() throws {
        let folder = try CommandFolder()
        try folder.makeVault()
        let keys = [
            "--service s", "--service s --account a", "--service s --class token",
            "--service s --group g",
            "--service s --account a --class key --group g", "--service é", "--service e\u{301}",
        ]
        for (index, key) in keys.enumerated() {
            #expect(try folder.vault("set \(key)", input: [UInt8(index)]).isGood, "\(key)")
        }
        for (index, key) in keys.enumerated() {
            #expect(try folder.vault("get \(key)").output == [UInt8(index)], "\(key)")
        }
        #expect(try folder.items("list").count == keys.count)
        #expect(try folder.items("list --service s").count == 5)
        #expect(try folder.items("list --service s --group g").count == 2)
        #expect(try folder.items("list --class token") == ["s/"])
    }

    @Test(
        "Lists and searches print sorted names, no values and no terminal commands",
        .tags(.commandLine))
    func lists() throws {
        let folder = try CommandFolder()
        try folder.makeVault()
        #expect(try folder.items("list") == [])
        for (service, account) in [("b", "y"), ("a", "x"), ("b", "a"), ("git.example", "me")] {
            try folder.keep("hunter2", service, account)
        }
        try folder.vault(
            [
                "set", "--service", "c", "--label", "Two\nlines \u{1b}[31m\u{202e}", "--attribute",
                "env=Prod",
            ],
            input: Array("hunter2".utf8))
        #expect(try folder.items("list") == ["a/x", "b/a", "b/y", "c/", "git.example/me"])
        #expect(try folder.items("search GIT") == ["git.example/me"])
        #expect(try folder.items("search prod") == ["c/"])
        #expect(try folder.items("search lines --service c") == ["c/"])
        #expect(try folder.items("search lines --service b") == [])
        #expect(try folder.items("search --attribute env=Prod") == ["c/"])
        #expect(try folder.items("search --attribute env=prod") == [])
        #expect(try folder.items("search hunter2") == [])
        let table = try folder.vault("list")
        #expect(table.isGood && table.text.hasPrefix("ITEM") && !table.text.contains("hunter2"))
        #expect(table.line.split(separator: "\n").count == 6, "\(table)")
        #expect(!table.text.contains("\u{1b}") && !table.text.contains("\u{202e}"))
    }

    @Test(
        "A terminal asks twice for a value and hides it; binary is not written to a terminal",
        .tags(.commandLine),
        .enabled(if: Program.python != nil || Program.isRequired, "python3 is not here"))
    func terminal() throws {
        let folder = try CommandFolder()
        try folder.makeVault()
        let way = "--vault vault.signet --key-file vault.key --service s"
        let set = try folder.terminal(["ein Wort", "ein Wort"], "vault set \(way)")
        #expect(
            set.status == 0 && set.text.contains("Value: ") && !set.text.contains("Wort"), "\(set)")
        #expect(try folder.vault("get --service s").text == "ein Wort")
        #expect(try folder.vault("get --service s --json").json["type"]?.text == "string")
        let different = try folder.terminal(["ein Wort", "kein Wort"], "vault set --prompt \(way)")
        #expect(different.status == 1 && different.text.contains("[valueMismatch]"), "\(different)")
        let present = try folder.terminal([], "vault set --if-absent --prompt \(way)")
        #expect(present.status == 1 && !present.text.contains("Value:"), "\(present)")
        // At a terminal the value ends its line.
        #expect(try folder.terminal([], "vault get \(way)").text == "ein Wort\r\n")
        try folder.vault("set --service s", input: [0x1b, 0x5b, 0x41])
        let binary = try folder.terminal([], "vault get \(way)")
        #expect(binary.status == 1 && binary.text.contains("[binary]"), "\(binary)")
        let forced = try folder.terminal([], "vault get --force \(way)")
        #expect(forced.output == [0x1b, 0x5b, 0x41, 0x0d, 0x0a], "\(forced)")
    }

    @Test(
        "A wrong line is status 2, and a value in it is not repeated",
        arguments: [
            "set", "set --service s hunter2", "set --service s --value=hunter2",
            "set --service s --attribute =x", "get --service s --json --newline",
            "list --timeout 601",
            "search",
        ])
    func usage(_ line: String) { expectUsage(line) }

    @Test(
        "Every wrong line is status 2, and a value in it is not repeated", .tags(.commandLine),
        arguments: [
            "set", "get", "remove", "set --service s --class password", "set --service s hunter2",
            "set --service s --value hunter2", "set --service s --value=hunter2",
            "set --service s --prompt --value-file f", "set --service s --attribute =x",
            "set --service s --attribute a=1 --attribute a=2", "get --service s --json --newline",
            "list --timeout 601", "get --service s --timeout -1", "list --backend secret-service",
            "get --service s --backend database", "search", "search --attribute env",
        ])
    func everyUsage(_ line: String) { expectUsage(line) }

    private func expectUsage(_ line: String) {
        // There is no such vault: looking for it would be status 3.
        let place = "--vault \(CommandFolder.nowhere)/v --key-file \(CommandFolder.nowhere)/k"
        let outcome = CommandFolder.inProcess("vault \(line) \(place)", input: "x")
        #expect(outcome.status == 2 && outcome.errors.contains("[usage]"), "\(outcome)")
        #expect(!outcome.errors.contains("hunter2"))
    }

    @Test("Empty or overlong names and overlong values are refused", .tags(.commandLine))
    func limits() throws {
        let folder = try CommandFolder()
        try folder.makeVault()
        #expect(try folder.vault(["set", "--service", ""], input: [1]).failed(2, "invalidItem"))
        let long = String(repeating: "n", count: 1025)
        #expect(try folder.vault(["set", "--service", long], input: [1]).failed(2, "invalidItem"))
        #expect(
            try folder.vault(["set", "--service", "s", "--account", long], input: [1]).failed(
                2, "invalidItem"))
        try folder.bash("truncate -s 16777216 most; truncate -s 16777217 more")
        #expect(try folder.vault("set --service s --value-file more").failed(1, "tooLarge"))
        #expect(try folder.vault("set --service s --value-file most").isGood)
        #expect(try folder.vault("get --service s").output.count == 16_777_216)
        #expect(try folder.vault("set --service s --value-file absent").failed(3, "system"))
    }
}
