// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite("signet demo")
struct DemoTests {
    @Test("shows the main job, and ends with status 0", .tags(.commandLine))
    func demo() throws {
        let demo = try Desk().signet("demo")
        #expect(demo.isGood, "\(demo)")
        for line in [
            "provider default", "PyJWT", "the token as it is:", "verified, RS256, kid demo-2026",
            "refused: signatureInvalid", "refused: expired",
            "refused: audienceMismatch", "signed token:", "verified with the published public key:",
            "sealed with XAES-256-GCM:",
            "with one bit flipped:", "refused: authenticationFailure", "kept in a vault",
            "absent, and the vault proves it", "clean: 1 item, 1 value", "damage, value:",
            "No deviation:",
        ] {
            #expect(demo.text.contains(line), "\(line): \(demo.text)")
        }
    }

    @Test("without the vectors everything else is shown, and the status is 3")
    func withoutVectors() throws {
        let desk = try Desk()
        let demo = try desk.signet(["demo"], environment: ["SIGNET_TEST_VECTORS": desk.url.path])
        #expect(
            demo.status == 3 && demo.text.contains("with one bit flipped:")
                && demo.errors.contains("[vectors_not_found]"))
    }
}
