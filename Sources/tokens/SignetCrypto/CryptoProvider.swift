// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge

/// Which libcrypto this process has loaded.
public enum CryptoProvider {
    /// The version that the loaded library reports, for example "OpenSSL 3.0.19 27 Jan 2026".
    public static var libraryVersion: String { LibraryInformation.version }

    /// The provider that AES-256-GCM comes from: "default", "fips", or "none" if it is missing.
    public static var providerName: String { LibraryInformation.providerName }

    /// Whether this process fetches FIPS-approved implementations by default.
    public static var isFIPS: Bool { LibraryInformation.isFIPSEnabled }

    /// Whether the loaded libcrypto has X25519.
    package static var hasX25519: Bool { LibraryInformation.hasX25519 }

    /// The file that libcrypto was loaded from; nil if the dynamic linker does not know.
    package static var file: String? { LibraryInformation.file }

    /// The processor features that libcrypto detected and chooses its code by.
    package static var processor: String { LibraryInformation.processor }

    /// The loaded providers, each with its version: "default 3.0.19".
    package static var providers: [String] { LibraryInformation.providers }
}
