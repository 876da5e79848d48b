// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import Testing

@Suite("Errors and the provider")
struct CryptoErrorTests {
    @Test("two errors are equal when their codes are")
    func equality() {
        #expect(CryptoError(.invalidKey, "a") == CryptoError(.invalidKey, "b"))
        #expect(CryptoError(.invalidKey, "a") != CryptoError(.invalidKeySize, "a"))
    }

    @Test("every code has a text of its own")
    func codes() {
        let codes: [CryptoError.Code] = [
            .authenticationFailure, .invalidKey, .invalidKeySize, .invalidNonceSize,
            .invalidParameter,
            .tooLarge,
            .unsupported, .libraryFailure,
        ]
        #expect(Set(codes.map(\.rawValue)).count == codes.count)
        for code in codes { #expect(CryptoError.Code(rawValue: code.rawValue) == code) }
    }

    @Test("the loaded libcrypto says what it is")
    func provider() {
        #expect(CryptoProvider.libraryVersion.hasPrefix("OpenSSL "))
        #expect(!CryptoProvider.providerName.isEmpty)
        if CryptoProvider.providerName == "fips" { #expect(CryptoProvider.isFIPS) }
    }
}
