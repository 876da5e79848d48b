// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge

/// Which libcrypto this process has loaded.
public enum CryptoProvider {
    /// The version that the loaded library states, for example "OpenSSL 3.0.19 27 Jan 2026".
    public static var libraryVersion: String { LibraryInformation.version }

    /// The name of the provider that AES-256-GCM comes from: "default", "fips", or "none" when it
    /// is missing.
    public static var providerName: String { LibraryInformation.providerName }

    /// Whether this process fetches FIPS-approved implementations by default.
    public static var isFIPS: Bool { LibraryInformation.isFIPSEnabled }

    /// The file that libcrypto was loaded from; nil when the dynamic linker does not say.
    package static var file: String? { LibraryInformation.file }

    /// What libcrypto found out about the processor: it chooses its code by that.
    package static var processor: String { LibraryInformation.processor }

    /// The loaded providers, each with its version: "default 3.0.19".
    package static var providers: [String] { LibraryInformation.providers }
}
