// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Glibc
import SignetPlatform
import Synchronization
import Testing

/// How often the handler in place was run.
private let survivedCount = Atomic<Int>(0)

/// Serialized: a process has one set of signal handlers.
@Suite("The passphrase prompt", .serialized)
struct TerminalTests {
    let terminal: PseudoTerminal

    init() throws { terminal = try PseudoTerminal() }

    private func ask(limit: Int = 1024) -> Asking { Asking(terminal.path, limit: limit) }

    private func prompted() throws {
        try #require(terminal.shown(until: "Passphrase: ").contains("Passphrase: "))
    }

    @Test("It returns the line, hides it, and restores the echo")
    func line() throws {
        #expect(try terminal.hasEcho())
        let answer = ask()
        try prompted()
        #expect(try !terminal.hasEcho())
        terminal.type("pässword with spaces \n")
        #expect(try answer.value() == Array("pässword with spaces ".utf8))
        #expect(try terminal.hasEcho())
        #expect(!terminal.shown().contains("word"))
    }

    @Test(
        "The longest line is accepted, and one more byte is refused, not cut",
        arguments: [32, 33])
    func limit(count: Int) throws {
        let answer = ask(limit: 32)
        try prompted()
        terminal.type(String(repeating: "x", count: count) + "\n")
        if count <= 32 {
            #expect(try answer.value().count == count)
        } else {
            let failure = #expect(throws: SystemFailure.self) { try answer.value() }
            #expect(failure?.errno == EMSGSIZE)
        }
        #expect(try terminal.hasEcho())
    }

    @Test("Ctrl-D on an empty line is an error, and an empty line is an answer")
    func empty() throws {
        let refused = ask()
        try prompted()
        terminal.type("\u{4}")
        let failure = #expect(throws: SystemFailure.self) { try refused.value() }
        #expect(failure?.errno == ENODATA)
        #expect(try terminal.hasEcho())

        let answer = ask()
        try prompted()
        terminal.type("\n")
        #expect(try answer.value() == [])
    }

    @Test(
        "A signal restores the echo before it takes effect, on any thread",
        arguments: [SIGINT, SIGTERM, SIGHUP], [false, true])
    func signals(number: Int32, blocksSignals: Bool) throws {
        // Before the handler is in place, which must not be the first to use it.
        survivedCount.store(0, ordering: .sequentiallyConsistent)
        // The handler in place sees the terminal as the signal finds it; it survives, so this process does too.
        var surviving = sigaction()
        unsafe surviving.__sigaction_handler.sa_handler = { _ in
            survivedCount.add(1, ordering: .sequentiallyConsistent)
        }
        var before = sigaction()
        try #require(unsafe sigaction(number, &surviving, &before) == 0)
        defer { _ = unsafe sigaction(number, &before, nil) }

        let answer = Asking(terminal.path, limit: 1024, blocksSignals: blocksSignals)
        try prompted()
        #expect(try !terminal.hasEcho())
        kill(getpid(), number)
        let failure = #expect(throws: SystemFailure.self) { try answer.value() }
        #expect(failure?.errno == EINTR)
        #expect(survivedCount.load(ordering: .sequentiallyConsistent) == 1)
        #expect(try terminal.hasEcho())

        var after = sigaction()
        #expect(unsafe sigaction(number, nil, &after) == 0)
        #expect(
            unsafe unsafeBitCast(after.__sigaction_handler, to: Int.self)
                == unsafeBitCast(surviving.__sigaction_handler, to: Int.self))
    }

    @Test(
        "Without a terminal it fails with advice",
        arguments: ["/dev/null", "/no/such/device"])
    func noTerminal(device: String) {
        let failure = #expect(throws: SystemFailure.self) {
            _ = try Terminal.readPassphrase(prompt: "", device: device)
        }
        #expect(failure?.errno == ENXIO)
        #expect(failure?.description.contains("descriptor") == true)
    }
}
