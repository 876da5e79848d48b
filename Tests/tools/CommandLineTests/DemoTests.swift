// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite("make demo")
struct DemoTests {
    private static let script = FileManager.default.currentDirectoryPath + "/Scripts/demo.sh"

    @Test("Shows the main job, and ends with status 0", .tags(.commandLine))
    func demo() throws {
        let demo = try CommandFolder().bash("'\(Self.script)' \"$SIGNET\"")
        #expect(demo.isGood, "\(demo)")
        for line in [
            "left out key 0 (kid: wallet-1)", "\"sub\":\"user-1093\",\"email\"",
            "[signatureInvalid]", "[expired]", "[audienceMismatch]",
            "{\"aud\":\"shop\",\"iss\":\"https://shop.example\"", "correct horse battery staple",
            "[authenticationFailure]", "made ", "[absent]", "clean: schema", "DAMAGE value",
            "signed in as jane@shop.example", "token until", "without another login", "[signedOut]",
            "No deviation:",
        ] {
            #expect(demo.text.contains(line), "\(line): \(demo.text)")
        }
    }

    @Test("An unexpected answer ends the demo", .tags(.commandLine))
    func wrongAnswer() throws {
        let folder = try CommandFolder()
        try folder.write("signet", "#!/bin/sh\ncat >/dev/null\necho good\n", permissions: 0o700)
        let demo = try folder.bash("'\(Self.script)' \"$PWD/signet\"")
        #expect(
            demo.status == 1
                && demo.errors.contains("status 0 instead of 1, which must never happen"))
    }

    @Test(
        "Without the vectors the demo shows everything else and ends with status 3",
        .tags(.commandLine))
    func withoutVectors() throws {
        let folder = try CommandFolder()
        let demo = try folder.bash(
            "SIGNET_TEST_VECTORS=\"$PWD\" '\(Self.script)' \"$SIGNET\"")
        #expect(
            demo.status == 3 && demo.text.contains("DAMAGE value")
                && demo.errors.contains("[vectors_not_found]"))
    }
}
