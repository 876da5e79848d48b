// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJOSE
import TestPrograms
import TestSupport
import Testing

/// What only the program shows of a file in chunks: its streams, signals, and memory.
@Suite("Sealed files as streams")
struct SealedStreamTests {
    /// A folder with a key and a file of three full chunks and a short one.
    private func folder() throws -> CommandFolder {
        let folder = try CommandFolder()
        try folder.write("plain", Self.content)
        let sealed = try folder.signet("seal --new-key seal.key --input plain --output sealed")
        #expect(sealed.isGood, "\(sealed)")
        return folder
    }

    private static let content = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 % 251) }

    @Test("A file that is cut off gives standard output its whole chunks, and status 1")
    func cutOff() throws {
        let folder = try folder()
        let sealed = try folder.read("sealed")
        for (byteCount, chunkCount) in [
            (sealed.count - 1, 3), (77 + 2 * 65_552, 1), (77 + 65_552 + 5, 1), (80, 0),
        ] {
            try folder.write("cut", Array(sealed.prefix(byteCount)))
            let outcome = try folder.signet("open --key-file seal.key --input cut")
            #expect(outcome.status == 1 && !outcome.wasKilled, "\(byteCount): \(outcome.errors)")
            #expect(
                outcome.output == Array(Self.content.prefix(chunkCount * 65_536)), "\(byteCount)")
            #expect(outcome.errors.contains("[authenticationFailure]"), "\(outcome.errors)")
            #expect(outcome.errors.contains("not whole") == (chunkCount > 0), "\(outcome.errors)")
            let toFile = try folder.signet(
                "open --key-file seal.key --input cut --output opened --json")
            #expect(toFile.status == 1 && !toFile.errors.contains("not whole"), "\(toFile)")
            #expect(try toFile.json["exitStatus"] == .integer(1))
        }
        #expect(try folder.names() == ["cut", "plain", "seal.key", "sealed"])
    }

    @Test("A chunk is given out before the input ends")
    func early() throws {
        let outcome = try folder().bash(
            """
            mkfifo feed out
            "$SIGNET" open --key-file seal.key --input feed > out & signet=$!
            exec 4< out; exec 3> feed
            head -c 140000 sealed >&3
            # Two chunks are here, and the second is known not to be the last.
            head -c 131072 <&4 | cmp - <(head -c 131072 plain) && echo two
            tail -c +140001 sealed >&3; exec 3>&-
            cat <&4 | cmp - <(tail -c +131073 plain) && echo all
            wait $signet; echo $?
            """)
        #expect(outcome.text == "two\nall\n0\n", "\(outcome)")
    }

    @Test(
        "Input and standard output that are one file are refused, and nothing is written",
        arguments: [
            "seal --key-file seal.key < plain 1<> plain",
            "seal --key-file seal.key < plain >> plain",
            "seal --key-file seal.key --input plain >> plain",
            "open --key-file seal.key < sealed >> sealed",
        ])
    func sameFile(_ line: String) throws {
        let folder = try folder()
        let sealed = try folder.read("sealed")
        let outcome = try folder.bash("\"$SIGNET\" " + line)
        #expect(outcome.failed(2, "usage") && outcome.output.isEmpty, "\(outcome)")
        #expect(try folder.read("plain") == Self.content && folder.read("sealed") == sealed)
    }

    @Test(
        "A descriptor is not the input and the key",
        arguments: [
            "--passphrase-fd 3 --input /dev/fd/3", "--key-file /dev/fd/3 --input /dev/fd/3",
            "--passphrase-file /proc/self/fd/3 --input /proc/self/fd/3",
        ])
    func sameDescriptor(_ options: String) throws {
        let outcome = try folder().bash("\"$SIGNET\" seal \(options) 3< plain")
        #expect(outcome.failed(2, "usage") && outcome.output.isEmpty, "\(outcome)")
    }

    @Test(
        "Two descriptors of one pipe are not the input and the key",
        arguments: [
            "--passphrase-fd 3 3<&0", "--key-file /dev/fd/3 3<&0",
            "--passphrase-fd 3 --input /dev/fd/4 3<&0 4<&0",
            "--key-file - --input //dev/stdin", "--key-file - --input /proc/thread-self/fd/0",
        ])
    func samePipe(_ options: String) throws {
        let outcome = try folder().bash("cat plain | \"$SIGNET\" seal \(options)")
        #expect(outcome.failed(2, "usage") && outcome.output.isEmpty, "\(outcome)")
    }

    @Test("Two openings of one file, and two pipes, are the input and the key")
    func twoOpenings() throws {
        let outcome = try folder().bash(
            """
            "$SIGNET" seal --key-file /dev/fd/3 3< seal.key < seal.key |
                "$SIGNET" open --key-file /dev/fd/3 3< <(cat seal.key) | cmp - seal.key && echo same
            """)
        #expect(outcome.text == "same\n", "\(outcome)")
    }

    @Test("A pipe that gives an octet at a time seals and opens")
    func octets() throws {
        let outcome = try folder().bash(
            """
            head -c 3000 plain | dd bs=1 status=none |
                "$SIGNET" seal --key-file seal.key | dd bs=1 status=none |
                "$SIGNET" open --key-file seal.key | cmp - <(head -c 3000 plain) && echo same
            """)
        #expect(outcome.text == "same\n", "\(outcome)")
    }

    /// Without `/proc` no file without a name can be given one.
    @Test(
        "A signal on the way leaves no file, whether the unfinished one has a name or not",
        arguments: ["INT": 130, "TERM": 143, "HUP": 129, "QUIT": 131, "ALRM": 142, "XCPU": 152])
    func signals(_ signal: String, status: Int) throws {
        let outcome = try folder().bash(
            """
            mkfifo feed; before=$(ls -A)
            run() { # how
                # Job control, so that INT is not ignored in the background.
                set -m
                "$@" -c 'exec "$SIGNET" seal --key-file seal.key --input feed --output out' &
                exec 3> feed
                # More than the pipe holds: the program is at work.
                head -c 300000 plain >&3; head -c 100000 plain >&3
                kill -\(signal) $!; wait $!; echo $?
                exec 3>&-
                [[ $(ls -A) == "$before" ]] && echo nothing
            }
            run bash
            if unshare -m umount -l /proc 2> /dev/null && ! grep -qa __asan_init "$SIGNET"; then
                cat > without-proc <<'END'
            umount -l /proc; exec bash "$@"
            END
                before=$(ls -A)
                run unshare -m bash without-proc
            else
                echo \(status); echo nothing
            fi 2> /dev/null
            """)
        #expect(outcome.text == "\(status)\nnothing\n\(status)\nnothing\n", "\(outcome)")
    }

    @Test("Without /proc, a file is sealed and opened all the same")
    func withoutProc() throws {
        let outcome = try folder().bash(
            """
            if ! unshare -m umount -l /proc 2> /dev/null || grep -qa __asan_init "$SIGNET"; then
                echo same; exit
            fi
            unshare -m bash -c 'umount -l /proc
                "$SIGNET" seal --key-file seal.key --input plain --output again &&
                "$SIGNET" seal --key-file seal.key --input plain --output again --force &&
                "$SIGNET" open --key-file seal.key --input again --output opened'
            cmp plain opened && [[ $(ls -A | wc -l) == 5 ]] && echo same
            """)
        #expect(outcome.text == "same\n", "\(outcome)")
    }

    /// The kernel's own count of the most memory that the process had, read while it waits for the
    /// last octets.
    @Test("The memory of sealing and opening does not grow with the file")
    func memory() throws {
        let outcome = try folder().bash(
            """
            mkfifo feed
            peak() { # octets, then the command
                local count=$1; shift
                "$SIGNET" "$@" --key-file seal.key --input feed > /dev/null & signet=$!
                exec 3> feed
                head -c "$count" "$source" >&3
                awk '/^VmHWM/ { print $2 }' "/proc/$signet/status"
                exec 3>&-; wait $signet
            }
            source=/dev/zero
            peak 1048576 seal; peak 268435456 seal
            # What is opened is cut off at the end, where its memory was looked at already.
            head -c 268435456 /dev/zero | "$SIGNET" seal --key-file seal.key > large
            source=large
            peak 1048576 open; peak 268435456 open
            """)
        let peaks = outcome.text.split(separator: "\n").compactMap { Int($0) }
        #expect(peaks.count == 4, "\(outcome)")
        guard peaks.count == 4 else { return }
        #expect(abs(peaks[1] - peaks[0]) <= 2048 && abs(peaks[3] - peaks[2]) <= 2048, "\(peaks)")
    }

    @Test("The help says that standard output may have a part of a file, and names age")
    func help() {
        let open = CommandFolder.inProcess("open --help").text
        #expect(open.contains("true but not whole"), "\(open)")
        #expect(CommandFolder.inProcess("seal --help").text.contains("https://age-encryption.org"))
    }

    @Test(
        "Files of the second implementation open, around the borders of chunks",
        .enabled(if: Program.python != nil || Program.isRequired, "python3 is not here"))
    func secondImplementation() throws {
        let folder = try CommandFolder()
        let script = try CommandFolder.require(
            Bundle.module.url(forResource: "Scripts/make-sealed-files", withExtension: "py")
        ).path
        let made = try folder.bash(
            """
            python3 -c 'import cryptography' || exit 77
            umask 077; python3 -B '\(script)' --sizes .
            """)
        if made.status == 77, !Program.isRequired { return }
        #expect(made.status == 0, "\(made)")
        for byteCount in [0, 1, 65_536, 65_537, 131_072] {
            let opened = try folder.signet(
                "open --key-file seal.key --input numbered-\(byteCount).sealed")
            #expect(
                opened.isGood && opened.output == Array(Self.content.prefix(byteCount)),
                "\(byteCount): \(opened)")
        }
    }
}
