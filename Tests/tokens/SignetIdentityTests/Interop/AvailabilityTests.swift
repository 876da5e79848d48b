// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@Suite("The other implementations are installed", .tags(.interop))
struct AvailabilityTests {
    @Test(
        "None is missing where CI requires them",
        .enabled(if: Python.isRequired, "skipping is allowed"))
    func required() throws {
        #expect(Python.isAvailable, "\(Python.absence)")
        #expect(OpenSSLCommand.isAvailable, "\(OpenSSLCommand.absence)")
        #expect(Glewlwyd.isAvailable, "\(Glewlwyd.absence)")
        for peer in EncryptionPeer.allCases { #expect(peer.isAvailable, "\(peer.absence)") }
        let versions = try Minted.byLibraries.get().versions
        #expect(versions.keys.sorted() == Pairing.libraries.sorted())
    }
}
