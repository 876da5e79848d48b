// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetPlatform
import Testing

/// What is found out before a program takes the place of a process. `RunCommandTests` does it.
@Suite("A program that takes the place of this process")
struct ReplacingProgramTests {
    @Test("A program is looked for by its name or its path, and is a file to execute")
    func check() throws {
        for name in ["sh", "/bin/sh"] { try ReplacingProgram([name, "-c", "exit"]).check() }
        for (name, isMissing) in [
            ("", true), ("a-program-that-is-not-there", true), ("/nonexistent/sh", true),
            ("/dev/null/sh", true), ("a\0b", true), ("/", false), ("/etc/passwd", false),
        ] {
            let error = #expect(throws: ReplacingProgram.Failure.self) {
                try ReplacingProgram([name]).check()
            }
            #expect(error?.isMissing == isMissing, "\(name)")
        }
        let none = #expect(throws: ReplacingProgram.Failure.self) {
            try ReplacingProgram([]).check()
        }
        #expect(none?.isMissing == true)
    }

    @Test("A variable has a name, and a value without a zero byte")
    func variables() {
        #expect(SecretVariable(name: "A", value: Array("value".utf8).span) != nil)
        #expect(SecretVariable(name: "A", value: [UInt8]().span) != nil)
        #expect(SecretVariable(name: "A", value: [0x61, 0].span) == nil)
        for name in ["", "A=", "A\0"] {
            #expect(SecretVariable(name: name, value: [0x61].span) == nil)
        }
    }
}
