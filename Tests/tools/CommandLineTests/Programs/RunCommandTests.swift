// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite("signet run: a program with secrets in its environment")
struct RunCommandTests {
    /// A vault with an item `db/ci`.
    private func folder() throws -> CommandFolder {
        let folder = try CommandFolder()
        try folder.makeVault()
        try folder.keep("hunter2", "db", "ci")
        return folder
    }

    /// Runs a script in which `"${run[@]}" -- PROGRAM` runs a program with the item.
    private func bash(_ folder: CommandFolder, _ script: String) throws -> Outcome {
        try folder.bash(
            #"run=("$SIGNET" run --vault vault.signet --key-file vault.key --env A=db/ci);"#
                + "\n" + script)
    }

    @Test("A value is in the environment byte for byte, and everything else stays as it is")
    func values() throws {
        let folder = try folder()
        let value: [UInt8] = [0xff, 0x0a, 0x3d, 0x24, 0x41, 0x0a]
        try folder.vault("set raw/ci", input: value)
        try folder.vault("set none/ci", input: [])
        try folder.vault("set t/x --class token --group g", input: [0x74])
        let outcome = try bash(
            folder,
            #"""
            export A=old AB=kept X=$'\xfe='
            "${run[@]}" --env RAW=raw/ci --env _n0=none/ci -- env -0 | tr '\n\0' '|\n' > found
            env -0 | tr '\n\0' '|\n' > before
            diff <(grep -a -v -e '^A=' -e '^_=' before | sort) \
                <(grep -a -v -e '^A=' -e '^RAW=' -e '^_n0=' -e '^_=' found | sort)
            grep -a -x -e 'A=.*' -e 'AB=.*' -e '_n0=.*' found | sort
            "${run[@]}" --env RAW=raw/ci -- sh -c 'printf %s. "$RAW"' > raw
            "$SIGNET" run --vault vault.signet --key-file vault.key --class token --group g \
                --env T=t/x -- printenv T
            """#)
        #expect(outcome.isGood && outcome.text == "A=hunter2\nAB=kept\n_n0=\nt\n", "\(outcome)")
        #expect(try folder.read("raw") == value + [0x2e])
    }

    @Test("Arguments are the program's own, and no shell reads them")
    func arguments() throws {
        let outcome = try bash(
            folder(),
            #"""
            "${run[@]}" -- printf '[%s]' --help -h --version --env B=c/d --json -- \
                --generate-completion-script bash '$A `id` *' '' $'\xfc'
            """#)
        let wanted =
            Array(
                ("[--help][-h][--version][--env][B=c/d][--json][--][--generate-completion-script]"
                    + "[bash][$A `id` *][][").utf8) + [0xfc, 0x5d]
        #expect(outcome.isGood && outcome.output == wanted, "\(outcome)")
    }

    @Test("The program is the process that was started, and the vault is closed")
    func replaces() throws {
        let folder = try folder()
        let outcome = try bash(
            folder,
            #"""
            "${run[@]}" -- sh -c 'echo $$; exec readlink /proc/self/exe' > seen & echo $!
            wait; cat seen
            "${run[@]}" -- sh -c 'ls vault*; printf new |
                "$0" vault set new/item --vault vault.signet --key-file vault.key' "$SIGNET"
            """#)
        let lines = outcome.text.split(separator: "\n").map(String.init)
        try #require(outcome.isGood && lines.count == 6, "\(outcome)")
        #expect(lines[0] == lines[1] && !lines[2].contains("signet"), "\(outcome)")
        #expect(lines[3...4] == ["vault.key", "vault.signet"], "\(outcome)")
        #expect(try folder.vault("get new/item").text == "new")
    }

    @Test("Signals, their mask, limits and descriptors are those that signet was given")
    func state() throws {
        let folder = try folder()
        try folder.write(
            "probe",
            """
            #!/bin/sh
            # Without signals 29 to 36: the C library keeps two of them for itself.
            grep -E '^Sig(Blk|Ign)' /proc/self/status | sed -E 's/..(.{7})$/\\1/'
            ulimit -S -c; ulimit -H -c
            ulimit -a; for n in /proc/$$/fd/*; do echo "$n" | sed s,.*/,,; readlink "$n"; done
            cat /proc/$$/environ > /dev/null && echo readable

            """, permissions: 0o700)
        let outcome = try bash(
            folder,
            #"""
            export ASAN_OPTIONS=disable_coredump=0:handle_segv=0
            same() {
                "$@" ./probe > seen; mv seen direct
                "$@" "${run[@]}" -- ./probe > seen; diff direct seen
            }
            hard=$(ulimit -H -c)
            for soft in "$hard" 0 1; do ulimit -S -c "$soft" && same env; done
            ulimit -S -c "$hard"
            same env --ignore-signal=PIPE,XFSZ,HUP
            same env --default-signal
            same env --block-signal=USR1,TERM,INT,XFSZ
            exec 7< probe 9> made; same env; exec 7<&- 9>&-
            closed() { "$@" <&-; }; same closed
            ulimit -S -n 64; same env
            ulimit -c 0; same env
            grep -c readable seen
            """#)
        #expect(outcome.isGood && outcome.text == "1\n", "\(outcome)")
    }

    @Test("The descriptor of the key or the passphrase is closed, and others stay")
    func descriptors() throws {
        let folder = try folder()
        try folder.write("passphrase", "correct horse battery staple\n")
        let outcome = try bash(
            folder,
            #"""
            way=(--vault vault.signet --env A=db/ci)
            "$SIGNET" vault slot add --vault vault.signet --key-file vault.key \
                --new-passphrase-file passphrase > slot
            same() { [ "$1" = "$2" ] && echo same || printf '%s: ' "$@"; }
            few=$(ls /proc/self/fd); more=$(ls /proc/self/fd 7< passphrase)
            same "$more" "$("${run[@]}" -- ls /proc/self/fd 7< passphrase)"
            same "$more" "$("$SIGNET" run "${way[@]}" --key-file /dev/fd/5 5< vault.key \
                7< passphrase -- ls /proc/self/fd)"
            same "$few" "$("$SIGNET" run "${way[@]}" --key-file <(cat vault.key) -- \
                ls /proc/self/fd)"
            same "$few" "$("$SIGNET" run "${way[@]}" --passphrase-fd 8 8< passphrase -- \
                ls /proc/self/fd)"
            "$SIGNET" run "${way[@]}" --key-file - < vault.key -- \
                sh -c 'readlink /proc/self/fd/0; cat'
            """#)
        #expect(
            outcome.isGood && outcome.text == "same\nsame\nsame\nsame\n/dev/null\n", "\(outcome)")
    }

    @Test("A signal that ends the program is seen by the parent, and a closed pipe ends it")
    func signals() throws {
        let outcome = try bash(
            folder(),
            #"""
            set +o pipefail
            own=(env --default-signal "${run[@]}")
            for signal in INT TERM HUP PIPE KILL; do
                "${own[@]}" -- sh -c "kill -$signal \$\$"; echo $?
            done 2> /dev/null
            "${own[@]}" -- yes | head -n 1; echo "${PIPESTATUS[0]}"
            for signal in TERM HUP; do
                "${own[@]}" -- sh -c 'echo > ready; exec sleep 600' & child=$!
                until [ -e ready ]; do sleep 0.02; done; rm ready
                kill -$signal $child; wait $child; echo $?
            done 2> /dev/null
            """#)
        #expect(
            outcome.isGood && outcome.text == "130\n143\n129\n141\n137\ny\n141\n143\n129\n",
            "\(outcome)")
    }

    @Test("The status is the program's, 126 if it cannot be executed and 127 if it is not there")
    func statuses() throws {
        let folder = try folder()
        try folder.bash("mkdir first second third; printf '#!/bin/sh\nexit 42\n' > second/tool")
        try folder.bash("chmod 700 second/tool; cp second/tool first/tool; chmod 600 first/tool")
        try folder.bash("cp first/tool third/denied; mkdir third/folder")
        try folder.write("text", "exit 0\n", permissions: 0o700)
        try folder.write("lost", "#!/nonexistent/shell\n", permissions: 0o700)
        let outcome = try bash(
            folder,
            #"""
            PATH="$PWD/first:$PWD/second:$PWD/third:$PATH"
            for program in tool second/tool absent-program ./absent first/tool/x '' ./lost \
                denied first/tool folder ./first ./text; do
                "${run[@]}" -- "$program" 2> error; status=$?
                echo "$status $(sed -n 's/.*\[\(.*\)\]$/\1/p' error)"
            done
            cd second; PATH=":$PATH"; run=("$SIGNET" run --vault ../vault.signet)
            "${run[@]}" --key-file ../vault.key --env A=db/ci -- tool; echo $?
            unset PATH; "${run[@]}" --key-file ../vault.key --env A=db/ci -- echo found
            """#)
        let wanted =
            ["42 ", "42 "] + Array(repeating: "127 notFound", count: 5)
            + Array(repeating: "126 notExecutable", count: 5) + ["42", "found", ""]
        #expect(outcome.text == wanted.joined(separator: "\n"), "\(outcome)")
    }

    @Test("Nothing starts unless every item was read and has a value that a variable can hold")
    func nothingStarts() throws {
        let folder = try folder()
        try folder.vault("set zero/ci", input: [0x61, 0, 0x62])
        for (item, code) in [("db/absent", "absent"), ("zero/ci", "zeroByte")] {
            let outcome = try bash(folder, "\"${run[@]}\" --env B=\(item) -- touch started")
            #expect(outcome.failed(1, code) && outcome.errors.contains("B"), "\(outcome)")
        }
        let long = [UInt8](repeating: 0x61, count: 1 << 20)
        try folder.vault("set long/ci", input: long)
        let outcome = try bash(folder, "\"${run[@]}\" --env B=long/ci -- touch started")
        #expect(outcome.failed(126, "notExecutable"), "\(outcome)")
        #expect(!folder.exists("started"))
    }

    @Test(
        "A wrong line is status 2 before anything is read, and a value in it is not repeated",
        arguments: [
            "", "--env A=s/a", "--env A=s/a --", "-- true", "--env hunter2 -- true",
            "--env =s/a -- true", "--env 1A=s/a -- true", "--env A-B=s/a -- true",
            "--env É=s/a -- true", "--env A\u{301}=s/a -- true", "--env A=hunter2 -- true",
            "--env A=/hunter2 -- true", "--env A=hunter2/ -- true",
            "--env A=s/a --env A=s/b -- true", "--env A=s/a true", "--env A=s/a hunter2 -- true",
            "--env A=s/a --passphrase hunter2 -- true", "--env A=s/a --timeout 0 -- true",
        ])
    func usage(_ line: String) {
        // There is no such vault: looking for it would be status 3.
        let outcome = CommandFolder.inProcess("run --vault \(CommandFolder.nowhere)/v \(line)")
        #expect(outcome.failed(2, "usage"), "\(outcome)")
        let isShown = outcome.errors.contains("hunter2")
        #expect(!isShown || line.contains("hunter2 -- true") && line.contains("s/a hunter2"))
    }

    @Test("A program that is not there is told before a passphrase is asked for")
    func asksLate() {
        let line = "run --vault \(CommandFolder.nowhere)/v --env A=s/a --"
        #expect(CommandFolder.inProcess("\(line) absent-program").failed(127, "notFound"))
        #expect(CommandFolder.inProcess("\(line) /").failed(126, "notExecutable"))
        #expect(CommandFolder.inProcess("\(line) true").failed(3, "unavailable"))
    }
}
