// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@Suite("The server of these tests is here")
struct ServerAvailabilityTests {
    @Test(
        "Where a gate depends on it, it is not missing",
        .enabled(if: KeyServer.isRequired, "skipping is allowed"))
    func required() { #expect(KeyServer.isAvailable, "\(KeyServer.absence)") }
}
