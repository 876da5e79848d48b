// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// What libcrypto is loaded, as it says itself.
package enum LibraryInformation {
    /// For example "OpenSSL 3.0.19 27 Jan 2026": of the library in memory, not of the headers.
    package static var version: String {
        unsafe OpenSSL_version(OPENSSL_VERSION).map { unsafe String(cString: $0) } ?? "unknown"
    }

    /// The provider that AES-256-GCM is fetched from, for example "default" or "fips".
    package static var providerName: String {
        guard let cipher = unsafe AlgorithmTable.shared.aes256GCM.pointer,
            let provider = unsafe EVP_CIPHER_get0_provider(cipher),
            let name = unsafe OSSL_PROVIDER_get0_name(provider)
        else { return "none" }
        return unsafe String(cString: name)
    }

    /// Whether algorithms are fetched with `fips=yes` by default in this process.
    package static var isFIPSEnabled: Bool {
        EVP_default_properties_is_fips_enabled(nil) == 1
    }
}
