// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import CSignetOpenSSL

/// The libcrypto that is loaded, as it describes itself.
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

    /// Whether X25519 can be fetched in this process.
    package static var hasX25519: Bool { unsafe AlgorithmTable.shared.x25519.pointer != nil }

    /// The file that libcrypto was loaded from, as the dynamic linker names it; nil when it does
    /// not say.
    package static var file: String? {
        unsafe csignet_openssl_file().map { unsafe String(cString: $0) }
    }

    /// The features of the processor that libcrypto found and chooses its code by.
    package static var processor: String {
        unsafe OpenSSL_version(OPENSSL_CPU_INFO).map { unsafe String(cString: $0) } ?? "unknown"
    }

    /// The loaded providers, each with its version as it says itself: "default 3.0.19".
    package static var providers: [String] {
        let names = Names()
        // The callback appends to `names` and is not called after the return.
        _ = unsafe OSSL_PROVIDER_do_all(
            nil,
            { provider, context in
                guard let provider = unsafe provider, let context = unsafe context else { return 1 }
                unsafe Unmanaged<Names>.fromOpaque(context).takeUnretainedValue().append(provider)
                return 1
            }, Unmanaged.passUnretained(names).toOpaque())
        return names.values.sorted()
    }

    private final class Names {
        var values: [String] = []

        func append(_ provider: OpaquePointer) {
            guard let name = unsafe OSSL_PROVIDER_get0_name(provider) else { return }
            var version: UnsafeMutablePointer<CChar>?
            let isKnown = unsafe withUnsafeMutablePointer(to: &version) { place in
                // OSSL_PROV_PARAM_VERSION would be gone after the call, and the parameter keeps the
                // name.
                var parameters = unsafe [
                    OSSL_PARAM_construct_utf8_ptr(cString("version"), place, 0),
                    OSSL_PARAM_construct_end(),
                ]
                return unsafe OSSL_PROVIDER_get_params(provider, &parameters) == 1
            }
            // A provider that states no version leaves an error behind.
            if !isKnown { ErrorQueue.clear() }
            let text = unsafe version.map { unsafe " " + String(cString: $0) } ?? ""
            unsafe values.append(String(cString: name) + text)
        }
    }
}
