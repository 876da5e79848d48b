// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Glibc
import SignetPlatform
import Testing

@Suite("A failure helps a person and shows only the path")
struct SystemFailureTests {
    @Test("It says what was tried, why it failed and what to do")
    func description() {
        let failure = #expect(throws: SystemFailure.self) {
            try PrivateFile.read(path: "/no/such/file", maximumByteCount: 1)
        }
        #expect(
            failure?.description
                == "cannot open '/no/such/file': No such file or directory; check the path")
    }

    @Test("A path cannot send commands to the terminal")
    func controlCharacters() {
        let failure = #expect(throws: SystemFailure.self) {
            try PrivateFile.read(path: "/no/\u{1B}[2J\u{9B}31m\n\u{7F}", maximumByteCount: 1)
        }
        #expect(failure?.description.unicodeScalars.allSatisfy { $0.value >= 0x20 } == true)
        #expect(failure?.description.contains("\u{9B}") == false)
    }
}
