// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import Testing

@Suite("signet vault import: .env files and passwords of browsers")
struct VaultTextImportTests {
    private static let env = #"""
        # a comment
        PLAIN=hunter2

           export EXPORTED=postgres://u:p@h/d?a=b&c=d;~   # a comment
        SINGLE='$HOME `id` \n "x" #'
        DOUBLE="a\n\"b\" \$c \`d\` \\'"
        EMPTY=
        LINES='one
        two' # a comment
        _n0="é"
        PLAIN=hunter2
        """#

    private static let chrome = """
        name,url,username,password,note
        Git,https://git.example/login?token=hunter2#x,me,hunter2,a note
        ,https://user@host.example:8443,"o""brien","a,""b""
        c",
        App,android://hash==@com.example.app/,me,hunter2,
        ,http://git.example/,me,hunter2,again

        """

    private static let firefox =
        "\u{feff}\"url\",\"username\",\"password\",\"httpRealm\",\"guid\"\r\n"
        + "\"https://git.example\",\"me\",\"pass\",,\"{1}\"\r\n"
        + "\"https://other.example\",\"\",\"hunter2\",\"realm\",\"{2}\""

    private func folder(_ name: String, _ text: String) throws -> CommandFolder {
        let folder = try CommandFolder()
        try folder.makeVault()
        try folder.write(name, text)
        return folder
    }

    @Test("The variables of a .env file become items, and nothing is expanded")
    func variables() throws {
        for isWindows in [false, true] {
            let text = isWindows ? Self.env.replacing("\n", with: "\r\n") : Self.env
            let folder = try folder(".env", text)
            let outcome = try folder.vault("import --format env --into api --input .env")
            #expect(
                outcome.isGood && outcome.line == "7 items: 7 added", "\(outcome)")
            let lineEnd = isWindows ? "\r\n" : "\n"
            for (name, value) in [
                ("PLAIN", "hunter2"), ("EXPORTED", "postgres://u:p@h/d?a=b&c=d;~"),
                ("SINGLE", #"$HOME `id` \n "x" #"#), ("DOUBLE", "a\n\"b\" $c `d` \\'"),
                ("EMPTY", ""), ("LINES", "one\(lineEnd)two"), ("_n0", "é"),
            ] {
                #expect(try folder.vault("get api/\(name)").text == value, "\(name)")
            }
            #expect(try folder.vault("get api/PLAIN --json").json["type"]?.text == "string")
        }
    }

    @Test(
        "A line of a .env file that is not clear is refused by its number, and nothing is imported",
        arguments: [
            ("A=$HOME", 1), ("A=1\nB=a$b", 2), ("A=`hunter2`", 1), ("A=\"$hunter2\"", 1),
            ("A=\"a\n`hunter2`\"", 2), ("A=hunter2\\n", 1), ("A=hunter2#x", 1),
            ("A=hunter 2", 1), ("A = hunter2", 1), ("A= hunter2", 1), ("A=it's", 1),
            ("A='hunter2", 1), ("A=\"hunter2\n\n", 1), ("A='hunter2'x", 1), ("A='a'#x", 1),
            ("A=\"\\x41\"", 1), ("A=\"C:\\temp\"", 1), ("A=\"hunter2\\", 1), ("hunter2", 1),
            ("export A", 1), ("=x", 1),
            ("1A=x", 1), ("A-B=x", 1), ("export export A=x", 1), ("A=x\rB=y", 1), ("A=\u{7f}", 1),
            ("A=1\n#\n\nA=hunter2", 4), ("a=1\nÉ=2", 2),
        ])
    func badVariables(_ text: String, _ line: Int) throws {
        try expectRefused(text, line, "--format env --into api")
    }

    @Test("The passwords of a browser become items of their hosts and users")
    func passwords() throws {
        let folder = try folder("chrome.csv", Self.chrome)
        let outcome = try folder.vault("import --format csv --input chrome.csv --json")
        #expect(outcome.isGood, "\(outcome)")
        #expect(
            try outcome.json
                == .object([
                    "added": .integer(3), "replaced": .integer(0), "alreadyThere": .integer(0),
                ]))
        #expect(try folder.vault("get git.example/me").text == "hunter2")
        #expect(
            try folder.vault(["get", "host.example:8443/o\"brien"]).text == "a,\"b\"\nc")
        #expect(try folder.vault("get com.example.app/me").text == "hunter2")
        // Without what stands before the host.
        let app = try folder.vault("get com.example.app/me --json").json["attributes"]
        #expect(app == .object(["url": .string("android://com.example.app/")]))
        let json = try folder.vault("get git.example/me --json").json
        #expect(json["label"]?.text == "Git" && json["comment"]?.text == "a note\nagain")
        #expect(json["attributes"] == .object(["url": .string("https://git.example/login")]))

        try folder.write("firefox.csv", Self.firefox)
        let other = try folder.vault("import --format csv --input firefox.csv --force")
        #expect(other.status == 0 && other.line == "2 items: 1 added, 1 replaced", "\(other)")
        #expect(other.errors == "signet: left out the columns httpRealm, guid\n", "\(other)")
        #expect(try folder.vault("get git.example/me").text == "pass")
        #expect(try folder.vault("get --service other.example").text == "hunter2")
    }

    @Test(
        "A row that does not fit is refused by its line, and nothing is imported",
        arguments: [
            ("", 1), ("a,b,c\n", 1), ("url,username\nhttps://a,b", 1),
            ("url,username,password,URL\n", 1),
            ("url,username,password\nhttps://a,hunter2", 2),
            ("url,username,password\nhttps://a,b,hunter2,x", 2),
            ("url,username,password\nhttps://a,b,c\n\nhttps://a,b,c", 3),
            ("url,username,password\nhunter2,b,c", 2), ("url,username,password\nhttps:///p,b,c", 2),
            ("url,username,password\nhttps://a,b,", 2),
            ("url,username,password\nhttps://a,\"b\n\",c\nhttps://a,b,hunter2\"", 4),
            ("url,username,password\nhttps://a,b,\"hunter2", 2),
            ("url,username,password\nhttps://a,b,\"hunter2\"x", 2),
            ("url,username,password\nhttps://a,b,x\rhttps://b,c,d", 2),
            ("url,username,password\nhttps://a/1,b,c\nhttps://b,b,c\nhttps://a/2,b,hunter2", 4),
        ])
    func badRows(_ text: String, _ line: Int) throws {
        try expectRefused(text, line, "--format csv")
    }

    @Test("All rows that do not fit are named, ten at most, and nothing of them is shown")
    func manyBadRows() throws {
        let folder = try CommandFolder()
        func errors(_ rows: [String]) throws -> String {
            try folder.write("csv", (["url,username,password"] + rows).joined(separator: "\n"))
            let outcome = CommandFolder.inProcess(
                "vault import --format csv --input \(folder.path("csv")) "
                    + "--vault \(CommandFolder.nowhere)/v")
            #expect(outcome.failed(1, "malformed"), "\(outcome)")
            #expect(!outcome.errors.contains("hunter2"), "\(outcome)")
            return outcome.errors
        }
        #expect(
            try errors([
                "hunter2,b,c", "https://a,b,c", "https://a,b,hunter2", "https://a,hunter2",
                "https://a,hunter2,", "https://c,b,c",
            ]) == """
                signet: Line 2: its url names no host.
                Line 4: it has the name of line 3 and another value. Take one of them out.
                Line 5: its number of fields is 2 instead of 3.
                Line 6: it has no password. [malformed]
                        Nothing was imported.

                """)
        let many = try errors([String](repeating: "https://hunter2,b,", count: 2_000))
        #expect(
            many.contains("\nLine 11: it has no password.\nand 1990 more. [malformed]"), "\(many)")
        // Longer reasons, of which fewer fit.
        let long = try errors((0..<2_000).map { "https://a,b,hunter2\($0)" })
        #expect(long.contains("out.\nand 1993 more. [malformed]"), "\(long)")
    }

    @Test("Notes of one item that are too long together are refused at the line that is too much")
    func longNotes() throws {
        let notes = ["a", "b"].map { String(repeating: $0, count: 3_000) }
        let rows = (["short"] + notes).map { "https://a,u,hunter2,\($0)" }
        let text = (["url,username,password,note"] + rows).joined(separator: "\n")
        try expectRefused(text, 4, "--format csv")
    }

    @Test("An import that another writer gets in front of names the line")
    func race() throws {
        let folder = try CommandFolder()
        try folder.makeVault()
        // The import is repeated until the other writer is the first.
        let outcome = try folder.bash(
            #"""
            umask 077
            way=(--vault vault.signet --key-file vault.key)
            for n in {1..200}; do echo "A$n=x"; done > env; echo Z=mine >> env
            for round in {1..100}; do
                "$SIGNET" vault import --format env --into "s$round" --input env "${way[@]}" \
                    > /dev/null 2> said & import=$!
                until "$SIGNET" vault get "s$round/A1" "${way[@]}" > /dev/null 2>&1 ||
                    ! kill -0 $import 2> /dev/null; do :; done
                printf other | "$SIGNET" vault set "s$round/Z" --if-absent "${way[@]}" \
                    > /dev/null 2>&1
                wait $import || break
            done
            cat said
            "$SIGNET" vault get "s$round/Z" "${way[@]}"
            """#)
        #expect(
            outcome.text == """
                signet: Another program wrote the item of line 201 meanwhile. Done before it: 200 of \
                201 items. [alreadyExists]
                        Look at that item, and run the same command again.
                other
                """, "\(outcome)")
    }

    private func expectRefused(_ text: String, _ line: Int, _ options: String) throws {
        let folder = try CommandFolder()
        try folder.write("text", text)
        // There is no such vault: looking for it would be status 3.
        let outcome = CommandFolder.inProcess(
            "vault import \(options) --input \(folder.path("text")) "
                + "--vault \(CommandFolder.nowhere)/v")
        #expect(outcome.failed(1, "malformed"), "\(outcome)")
        #expect(outcome.errors.hasPrefix("signet: Line \(line): "), "\(outcome)")
        #expect(!outcome.errors.contains("hunter2"), "\(outcome)")
    }

    @Test("Text that is not UTF-8, or has a zero byte, is refused", arguments: ["env", "csv"])
    func encodings(_ format: String) throws {
        let folder = try CommandFolder()
        let into = format == "env" ? "--into s" : ""
        for bytes in [[0x41, 0x3d, 0xff], [0x41, 0x3d, 0], [0xff, 0xfe, 0x41, 0]] as [[UInt8]] {
            try folder.write("text", bytes)
            let outcome = CommandFolder.inProcess(
                "vault import --format \(format) \(into) --input \(folder.path("text")) "
                    + "--vault \(CommandFolder.nowhere)/v")
            #expect(outcome.failed(1, "malformed"), "\(outcome)")
        }
    }

    @Test("A dry run prints names as get takes them, and opens and writes nothing")
    func dryRun() throws {
        let folder = try folder("env", Self.env)
        try folder.write("csv", Self.firefox)
        let place = "--dry-run --vault \(CommandFolder.nowhere)/v"
        let env = CommandFolder.inProcess(
            "vault import --format env --into s --input \(folder.path("env")) \(place)")
        #expect(
            env.isGood
                && env.text == "s/PLAIN\ns/EXPORTED\ns/SINGLE\ns/DOUBLE\ns/EMPTY\ns/LINES\ns/_n0\n",
            "\(env)")
        let csv = "vault import --format csv --input \(folder.path("csv")) \(place)"
        #expect(CommandFolder.inProcess(csv).text == "git.example/me\n--service other.example\n")
        let json = try CommandFolder.inProcess(csv + " --json").json
        guard case .array(let items)? = json["items"] else {
            Issue.record("\(json)")
            return
        }
        #expect(items.map(\.names) == [["account", "service"], ["account", "service"]])
        #expect(try folder.items("list").isEmpty)
    }

    @Test("Nothing is overwritten without --force, and the same again changes nothing")
    func conflicts() throws {
        let folder = try folder(".env", "A=1\nB=2\n")
        try folder.keep("kept", "s", "B")
        let line = "import --format env --into s --input .env"
        let refused = try folder.vault(line)
        #expect(
            refused.failed(1, "conflict") && refused.errors.contains("item of line 2 is there"),
            "\(refused)")
        #expect(try folder.items("list") == ["s/B"])
        #expect(try folder.vault("get s/B").text == "kept")
        #expect(try folder.vault(line + " --force").line == "2 items: 1 added, 1 replaced")
        #expect(try folder.vault("get s/B").text == "2")
        #expect(try folder.vault(line).line == "2 items: 0 added, 2 there already")
        let piped = try folder.bash(
            "\"$SIGNET\" vault \(line.replacing(".env", with: "-")) --vault vault.signet "
                + "--key-file vault.key < .env")
        #expect(piped.line == "2 items: 0 added, 2 there already", "\(piped)")
    }

    @Test("What a file does not give stays, and so does a value of another type")
    func details() throws {
        let folder = try folder(".env", "A=1\n")
        let set = "set s/A --label L --comment C --attribute a=b"
        #expect(try folder.vault(set, input: Array("1".utf8)).isGood)
        let line = "import --format env --into s --input .env"
        #expect(try folder.vault(line).line == "1 item: 0 added, 1 there already")
        try folder.write(".env", "A=2\n")
        #expect(try folder.vault(line + " --force").line == "1 item: 0 added, 1 replaced")
        let json = try folder.vault("get s/A --json").json
        #expect(json["label"]?.text == "L" && json["comment"]?.text == "C")
        #expect(json["attributes"] == .object(["a": .string("b")]))
        // A note that is new is another item.
        try folder.write("csv", "url,username,password,note\nhttps://s,A,2,new\n")
        let csv = try folder.vault("import --format csv --input csv")
        #expect(csv.failed(1, "conflict"), "\(csv)")
    }

    @Test("A text that is given as a vault is told so before a passphrase is asked for")
    func notAVault() throws {
        let folder = try folder(".env", "A=hunter2\n")
        let outcome = try folder.signet("vault import --input .env --vault vault.signet")
        #expect(outcome.status == 1 && outcome.advice?.contains("--format env") == true)
        #expect(!outcome.errors.contains("hunter2"), "\(outcome)")
    }

    @Test(
        "A wrong line is status 2 before anything is read",
        arguments: [
            "--format env", "--format csv --into s", "--into s", "--format env --into=",
            "--format text", "--dry-run", "--format csv --from-key-file k",
            "--format csv --service s", "--format csv --on-conflict keep",
            "--force --on-conflict keep", "--format csv --key-file - --input -",
        ])
    func usage(_ line: String) {
        let place = "--input \(CommandFolder.nowhere)/i --vault \(CommandFolder.nowhere)/v"
        let outcome = CommandFolder.inProcess("vault import \(place) \(line)")
        #expect(outcome.failed(2, "usage"), "\(outcome)")
    }
}
