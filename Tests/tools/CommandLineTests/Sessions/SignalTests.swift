// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

private let isHere = Program.python != nil || Program.isRequired

/// The server spends a token when it is asked, keeps its answer back until the signal was heard,
/// and ends the session of a token that comes again.
@Suite("Signals during an exchange with the server", .enabled(if: isHere, "python3 is not here"))
struct SignalTests {
    private let fixture: LoginFixture

    init() async throws { fixture = try await LoginFixture(lifetime: 2) }

    /// With job control, so commands in the background do not begin with ignored signals.
    private static let functions = #"""
        set -m; ulimit -c 0
        get() {
            exec 7<> "/dev/tcp/127.0.0.1/${ISSUER##*:}"
            printf 'GET %s HTTP/1.0\r\n\r\n' "$1" >&7; cat <&7; exec 7>&-
        }
        fact() { get /facts | tr ',' '\n' | sed -n "s/.*\"$1\": \([0-9]*\).*/\1/p"; }
        # Returns when the server has been asked by the command, and holds its answer.
        held() {
            local kind=$1 before; shift
            get "/behave?hold=600" > get; before=$(fact "$kind")
            while true; do
                "$@" > output 2> errors & child=$!
                while kill -0 $child 2> get; do
                    [ "$(fact "$kind")" = "$before" ] || return 0
                done
                wait $child || return 1 # The token was not due yet.
            done
        }
        release() { get "/behave?hold=" > get; }
        # Each returns as well when the command has ended.
        noticed() {
            until grep -q 'finishing the exchange' errors; do
                kill -0 $child 2> get || return 0; sleep 0.02
            done
        }
        stopped() {
            until grep -q '^State:.T' "/proc/$child/status"; do
                kill -0 $child 2> get || return 0; sleep 0.02
            done
        }
        # The status of a command that was stopped. The shell may not know yet that it goes on, and
        # its `wait` would answer with the stop.
        ended() { while [ -e "/proc/$child" ]; do sleep 0.02; done; wait $child; }

        """#

    private func run(_ script: String) throws -> Outcome {
        try fixture.run(Self.functions + script)
    }

    private static let notice = "signet: finishing the exchange\n"

    @Test("INT, TERM, HUP and QUIT wait for the successor: 128 + n, one notice, no output")
    func ending() throws {
        try fixture.signIn()
        let outcome = try run(
            #"""
            for signal in INT TERM HUP QUIT; do
                held refreshes "$SIGNET" token
                kill -$signal $child; noticed; kill -$signal $child; kill -$signal $child
                release; wait $child
                echo "$signal $? $(cat output errors)" >> ends
                "$SIGNET" token > token || echo lost >> ends
            done
            """#)
        let lines = ["INT 130", "TERM 143", "HUP 129", "QUIT 131"].map { "\($0) \(Self.notice)" }
        let ends = try fixture.folder.text("ends")
        #expect(ends == lines.joined(), "\(ends) \(outcome.status)")
        let facts = try fixture.facts()
        #expect(facts["reuses"] == 0 && facts["families"] == 1 && facts["refreshes"] ?? 0 >= 4)
    }

    @Test("TSTP stops the command once the successor is stored; it goes on and prints the token")
    func stopping() throws {
        try fixture.signIn()
        let outcome = try run(
            #"""
            held refreshes "$SIGNET" token
            kill -TSTP $child; noticed; kill -TSTP $child
            release; stopped; cp output before
            kill -CONT $child; ended; echo $? > status; cp output after
            # One that ends comes before one that stops.
            held refreshes "$SIGNET" token
            kill -TSTP $child; noticed; kill -TERM $child
            release; ended; echo $? >> status
            "$SIGNET" token > token; echo $? >> status
            """#)
        #expect(try fixture.folder.text("status") == "0\n143\n0\n", "\(outcome)")
        #expect(
            try fixture.folder.read("before").isEmpty
                && fixture.folder.text("after").utf8.count == 33)
        #expect(try fixture.facts()["reuses"] == 0 && fixture.facts()["families"] == 1)
    }

    @Test("A signal that was ignored at the start stays ignored")
    func ignored() throws {
        try fixture.signIn()
        let outcome = try run(
            #"""
            held refreshes nohup "$SIGNET" token
            kill -HUP $child; kill -HUP $child
            release; wait $child; echo $? > status
            """#)
        #expect(try fixture.folder.text("status") == "0\n", "\(outcome)")
        #expect(try fixture.folder.text("output").utf8.count == 33)
        #expect(try !fixture.folder.text("errors").contains("finishing"))
    }

    @Test("A command that waits for another's exchange ends at once, and asks nothing")
    func waiting() throws {
        try fixture.signIn()
        let outcome = try run(
            #"""
            held refreshes "$SIGNET" token; holder=$child
            locked=$(awk -v holder=$holder \
                '$2 == "FLOCK" && $5 == holder { split($6, part, ":"); print part[3] }' /proc/locks)
            [ "$locked" ] || exit 9
            "$SIGNET" token > second 2> errors & child=$!
            until stat -Lc %i /proc/$child/fd/* 2> get | grep -qxF "$locked"; do sleep 0.02; done
            kill -TERM $child; wait $child; echo $? > status
            cat second errors >> status
            release; wait $holder; echo $? >> status
            """#)
        #expect(try fixture.folder.text("status") == "143\n0\n", "\(outcome)")
        #expect(try fixture.folder.text("output").utf8.count == 33)
        #expect(try fixture.facts()["refreshes"] == 1)
    }

    @Test("timeout 0.1 signet token, 12 times: the session survives", .tags(.commandLine))
    func timeouts() throws {
        try fixture.signIn()
        // Where the machine is slow, the time doubles until the server is asked at all.
        let outcome = try run(
            #"""
            get "/behave?hold=0.15" > get
            limit=100
            for round in 1 2 3 4 5 6 7 8 9 10 11 12; do
                sleep 2; before=$(fact refreshes)
                while
                    timeout "$((limit / 1000)).$(printf %03d $((limit % 1000)))" "$SIGNET" token
                    [ "$(fact refreshes)" = "$before" ]
                do limit=$((limit * 2)); done
            done > output 2> errors
            release
            "$SIGNET" token > token; echo $? > status
            """#)
        #expect(try fixture.folder.text("status") == "0\n", "\(outcome)")
        let facts = try fixture.facts()
        #expect(facts["reuses"] == 0 && facts["families"] == 1 && facts["refreshes"] ?? 0 >= 12)
    }

    @Test("A deletion of the account ends with the signal, before the deletion is asked for")
    func deletion() throws {
        try fixture.signIn("--delete-url $ISSUER/account")
        let outcome = try run(
            #"""
            sleep 2 # The token is due.
            held refreshes "$SIGNET" account delete --yes
            kill -TERM $child; noticed; release; wait $child; echo $? > status
            cat output errors >> status
            "$SIGNET" token > token; echo $? >> status
            """#)
        #expect(try fixture.folder.text("status") == "143\n\(Self.notice)0\n", "\(outcome)")
        #expect(try fixture.facts()["deletions"] == 0 && fixture.facts()["reuses"] == 0)
    }

    @Test("A sign-in that has its tokens keeps them, says so, and then ends with the signal")
    func signIn() throws {
        let outcome = try run(
            #"""
            "$SIGNET" login --no-browser --issuer $ISSUER $CLIENT > early 2>&1 & child=$!
            until grep -q '^http' early; do sleep 0.02; done
            kill -INT $child; wait $child; echo $? > status
            grep -c finishing early >> status

            browse() {
                "$SIGNET" login --no-browser --issuer $ISSUER $CLIENT > output 2> errors & login=$!
                until grep -q '^http' errors; do sleep 0.02; done
                xdg-open "$(grep '^http' errors)"
                child=$login
            }
            get "/behave?hold=600" > get
            browse
            until [ "$(fact logins)" = 1 ]; do sleep 0.02; done
            kill -TERM $child; noticed; kill -TERM $child
            release; wait $child; echo $? >> status
            grep -c finishing errors >> status; cut -c 1-12 output >> status
            "$SIGNET" token > token; echo $? >> status
            """#)
        let wanted = "130\n0\n143\n1\nsigned in as\n0\n"
        #expect(try fixture.folder.text("status") == wanted, "\(outcome)")
        #expect(try fixture.facts()["families"] == 1)
    }

    @Test("A poll for tokens that brings none ends with the signal", .tags(.commandLine))
    func poll() throws {
        let outcome = try run(
            #"""
            held polls "$SIGNET" login --device --issuer $ISSUER $CLIENT
            kill -TSTP $child; noticed; release; stopped
            kill -CONT $child; kill -TERM $child
            ended; echo $? > status; cat output >> status
            """#)
        let status = try fixture.folder.text("status")
        #expect(status == "143\n", "\(status) \(outcome)")
        #expect(try fixture.facts()["families"] == 0)
    }

    @Test("The browser inherits no blocked and no ignored signal")
    func browser() throws {
        let program = """
            #!/bin/bash
            grep -E '^Sig(Blk|Ign)' /proc/self/status | cut -f 2 > "$SIGNET_DEMO_PAGE.signals"
            exec '\(LoginFixture.demo)/bin/xdg-open' "$@"
            """
        try fixture.folder.write("xdg-open", program, permissions: 0o755)
        let outcome = try run(
            #"""
            export PATH="$PWD:$PATH" DISPLAY=:0
            trap '' HUP USR1
            python3 -c '
            import os, signal, sys
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR2, signal.SIGTERM})
            os.execv(sys.argv[1], sys.argv[1:])
            ' "$SIGNET" login --issuer $ISSUER $CLIENT
            """#)
        #expect(outcome.status == 0, "\(outcome)")
        let signals = try fixture.folder.text("page.signals")
        // glibc keeps 32 and 33 for itself, and has posix_spawn ignore them.
        let sets = signals.split(separator: "\n").map { UInt64($0, radix: 16).map { $0 << 33 } }
        #expect(sets == [0, 0], "\(signals)")
    }
}
