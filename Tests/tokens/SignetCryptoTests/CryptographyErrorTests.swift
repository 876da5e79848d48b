// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import Testing

@Suite("Errors and the loaded provider")
struct CryptographyErrorTests {
    @Test("Errors are equal when their codes are")
    func equality() {
        #expect(CryptographyError(.invalidKey, "a") == CryptographyError(.invalidKey, "b"))
        #expect(CryptographyError(.invalidKey, "a") != CryptographyError(.invalidKeySize, "a"))
    }

    @Test("Every code has a text of its own")
    func codes() {
        let codes: [CryptographyError.Code] = [
            .authenticationFailure, .invalidKey, .invalidKeySize, .invalidNonceSize,
            .invalidParameter,
            .tooLarge,
            .unsupported, .libraryFailure,
        ]
        #expect(Set(codes.map(\.rawValue)).count == codes.count)
        for code in codes { #expect(CryptographyError.Code(rawValue: code.rawValue) == code) }
    }

    @Test("The loaded libcrypto describes itself")
    func provider() {
        #expect(CryptoProvider.libraryVersion.hasPrefix("OpenSSL "))
        #expect(!CryptoProvider.providerName.isEmpty)
        if CryptoProvider.providerName == "fips" { #expect(CryptoProvider.isFIPS) }
    }
}
