// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge

/// Which libcrypto this process has loaded.
public enum CryptoProvider {
    /// The version that the loaded library states, for example "OpenSSL 3.0.19 27 Jan 2026".
    public static var libraryVersion: String { LibraryInformation.version }

    /// The name of the provider that AES-256-GCM comes from: "default", "fips", or "none" when it is missing.
    public static var providerName: String { LibraryInformation.providerName }

    /// Whether this process fetches FIPS-approved implementations by default.
    public static var isFIPS: Bool { LibraryInformation.isFIPSEnabled }
}
