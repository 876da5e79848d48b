// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import signet

@Suite("The progress of long work")
struct ProgressTests {
    private static func shown(
        _ unit: ProgressMeter.Unit, _ done: Int, of total: Int?
    ) -> String? {
        var meter = ProgressMeter("sealing", counting: unit, in: .terminal, startingAt: .zero)
        guard case .show(let text) = meter.step(done, of: total, at: { .seconds(1) }) else {
            return nil
        }
        return text
    }

    @Test(
        "Progress is said in words for people",
        arguments: [
            (.bytes, 1_234_567_890, 4_000_000_000, "1.2 of 4.0 GB"),
            (.bytes, 999_999, nil, "999.9 kB"), (.bytes, 1_000_000, nil, "1.0 MB"),
            (.bytes, 0, 999, "0 of 999 bytes"), (.bytes, 0, nil, "0 bytes"),
            (.bytes, 65_536, 5_000_000, "0.0 of 5.0 MB"),
            // A file that grows, and one that says that it is empty.
            (.bytes, 2_000, 1_500, "2.0 kB"), (.bytes, 2_000, 0, "2.0 kB"),
            (.bytes, .max, nil, "9223372.0 TB"),
            (.cases, 4_210, 8_850, "4,210 of 8,850 cases"), (.items, 16, 999, "16 of 999 items"),
            (.items, 1_000_000, nil, "1,000,000 items"), (.share, 1, 3, "33%"),
            (.share, 0, 7, "0%"), (.share, .max, nil, "9,223,372,036,854,775,807 steps"),
        ] as [(ProgressMeter.Unit, Int, Int?, String)])
    func words(_ unit: ProgressMeter.Unit, _ done: Int, _ total: Int?, _ words: String) {
        #expect(Self.shown(unit, done, of: total) == "signet: sealing: \(words)")
    }

    @Test(
        "A terminal has no line for a second, then one every 150 ms, and none after the last step")
    func terminal() {
        var meter = ProgressMeter(
            "sealing", counting: .bytes, in: .terminal, startingAt: .seconds(5))
        func step(_ done: Int, at milliseconds: Int) -> ProgressMeter.Action? {
            meter.step(done, of: 900, at: { .milliseconds(milliseconds) })
        }
        #expect(step(1, at: 5_000) == nil)
        #expect(step(2, at: 5_999) == nil)
        #expect(step(3, at: 6_000) == .show("signet: sealing: 3 of 900 bytes"))
        #expect(step(4, at: 6_149) == nil)
        #expect(step(5, at: 6_150) == .show("signet: sealing: 5 of 900 bytes"))
        #expect(step(900, at: 6_151) == .erase)
        #expect(step(900, at: 9_000) == .erase)
    }

    @Test("Lines for a log come every second, from the first step to the last one")
    func lines() {
        var meter = ProgressMeter("verifying", counting: .items, in: .lines, startingAt: .zero)
        func step(_ done: Int, at milliseconds: Int) -> ProgressMeter.Action? {
            meter.step(done, of: 900, at: { .milliseconds(milliseconds) })
        }
        #expect(step(100, at: 0) == .show("signet: verifying: 100 of 900 items"))
        #expect(step(200, at: 999) == nil)
        #expect(step(300, at: 1_000) == .show("signet: verifying: 300 of 900 items"))
        #expect(step(900, at: 1_001) == .show("signet: verifying: 900 of 900 items"))
    }

    @Test("The clock is read for every 16th item, and for every chunk of bytes")
    func clock() {
        for (unit, count) in [(ProgressMeter.Unit.items, 63), (.cases, 63), (.bytes, 1_000)] {
            var meter = ProgressMeter("x", counting: unit, in: .terminal, startingAt: .zero)
            var readCount = 0
            for done in 1...1_000 {
                let action = meter.step(done, of: nil) {
                    readCount += 1
                    return .zero
                }
                #expect(action == nil)
            }
            #expect(readCount == count)
        }
    }

    // MARK: A real terminal

    /// Runs a command whose input is fed to it slowly, until progress is shown.
    private func fed(
        _ command: String, _ file: String, end: String = "close",
        environment: String = "TERM=xterm",
        in folder: CommandFolder
    ) throws -> Outcome {
        let script = try CommandFolder.require(
            Bundle.module.url(forResource: "Scripts/feeding", withExtension: "py"))
        return try folder.bash(
            "rm -f fifo; mkfifo fifo; \(environment) python3 -B '\(script.path)' fifo \(file) "
                + "\(end) \"$SIGNET\" \(command)")
    }

    private static var line: Regex<(Substring, Substring, Substring)> {
        #/(\rsignet: (sealing|opening): [0-9]+ bytes\x1b\[K)+\r\x1b\[K/#
    }

    @Test(
        "A terminal shows how much is sealed or opened, and nothing is left of it",
        .enabled(if: Program.python != nil || Program.isRequired, "python3 is not here"))
    func pseudoTerminal() throws {
        let folder = try CommandFolder()
        try folder.write("key", Array(1...32))
        // More than the test feeds until a second has passed.
        try folder.write("plain", [UInt8](repeating: 120, count: 1 << 20))
        let sealed = try fed(
            "seal --key-file key --input fifo --output sealed", "plain", in: folder)
        #expect(sealed.status == 0, "\(sealed)")
        let shown = try #require(sealed.text.prefixMatch(of: Self.line), "\(sealed)")
        #expect(shown.range.upperBound == sealed.text.endIndex, "\(sealed)")

        // The line goes before a message comes: the sealed file was cut off.
        #expect(try folder.signet("seal --key-file key --input plain --output whole").isGood)
        let cut = try fed("open --key-file key --input fifo --output out", "whole", in: folder)
        #expect(cut.status == 1 && !folder.exists("out"), "\(cut)")
        let before = try #require(cut.text.prefixMatch(of: Self.line), "\(cut)")
        let message = cut.text[before.range.upperBound...]
        #expect(message.hasPrefix("signet: ") && !message.contains("\u{1b}"), "\(cut)")

        let interrupted = try fed(
            "seal --key-file key --input fifo --output other", "plain", end: "interrupt",
            in: folder)
        #expect(interrupted.status == 128 + SIGINT && !folder.exists("other"), "\(interrupted)")
        #expect(interrupted.text.hasPrefix("\rsignet: sealing: "), "\(interrupted)")
    }

    @Test(
        "No pipe, file or plain terminal has a line, and --json stays what it was",
        .enabled(if: Program.python != nil || Program.isRequired, "python3 is not here"))
    func silence() throws {
        let folder = try CommandFolder()
        try folder.write("key", Array(1...32))
        // 30 pieces, between which the test waits for more than a second in all.
        try folder.write("plain", [UInt8](repeating: 120, count: 30 * 16))
        let seal = "seal --key-file key --input fifo --force --output sealed"
        let dumb = try fed(seal, "plain", environment: "TERM=dumb", in: folder)
        #expect(dumb.status == 0 && dumb.output.isEmpty, "\(dumb)")
        let piped = try folder.bash(
            "mkfifo pipe; (for i in {1..30}; do printf x; sleep 0.05; done) > pipe & "
                + "TERM=xterm \"$SIGNET\" \(seal.replacing("fifo", with: "pipe")) --json")
        #expect(piped.isGood, "\(piped)")
        #expect(try piped.json["byteCount"] != nil)
    }
}
