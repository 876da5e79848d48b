// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@Suite("The test server is installed")
struct ServerAvailabilityTests {
    @Test(
        "It is not missing where CI requires it",
        .enabled(if: KeyServer.isRequired, "skipping is allowed"))
    func required() { #expect(KeyServer.isAvailable, "\(KeyServer.absence)") }
}
