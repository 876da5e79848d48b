// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import OpenSSLBridge
import Testing

@Suite("What the loaded libcrypto says about itself")
struct LibraryInformationTests {
    @Test("It has a version and a provider")
    func information() {
        #expect(LibraryInformation.version.hasPrefix("OpenSSL "))
        #expect(!LibraryInformation.providerName.isEmpty)
        #expect(LibraryInformation.providerName != "none")
        #expect(LibraryInformation.hasX25519 || LibraryInformation.isFIPSEnabled)
        #expect(ErrorQueue.isEmpty)
    }

    @Test("It names its file, its providers with their versions, and the processor")
    func file() throws {
        let file = try #require(LibraryInformation.file)
        #expect(file.contains("libcrypto"))
        #expect(file.hasPrefix("/"))
        #expect(
            LibraryInformation.providers.contains { $0.hasPrefix(LibraryInformation.providerName) })
        #expect(LibraryInformation.providers.allSatisfy { $0.contains(" ") })
        #expect(LibraryInformation.processor.hasPrefix("CPUINFO: "))
        #expect(ErrorQueue.isEmpty)
    }
}
