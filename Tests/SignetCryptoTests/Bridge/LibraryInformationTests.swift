// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import OpenSSLBridge
import Testing

@Suite("What the loaded libcrypto says of itself")
struct LibraryInformationTests {
    @Test("a version, a provider")
    func information() {
        #expect(LibraryInformation.version.hasPrefix("OpenSSL "))
        #expect(!LibraryInformation.providerName.isEmpty)
        #expect(LibraryInformation.providerName != "none")
        #expect(ErrorQueue.isEmpty)
    }
}
