// swift-tools-version: 6.3
// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// A package of its own, so that a program that depends on Signet never resolves jwt-kit or builds BoringSSL.
let strict: [SwiftSetting] = [
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
]

let package = Package(
    name: "signet-benchmarks",
    dependencies: [
        .package(name: "signet", path: ".."),
        .package(url: "https://github.com/vapor/jwt-kit", exact: "5.7.1"),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
    ],
    targets: [
        // libcrypto as it is, for the floor. Its header names no type of OpenSSL's, so that no Swift module sees the
        // headers of OpenSSL and of swift-crypto's BoringSSL together.
        .target(name: "CRawLibcrypto", linkerSettings: [.linkedLibrary("crypto")]),
        // A loop that shows how much of its core a thread has at the moment.
        .target(name: "CPace"),
        // libsqlite3 as it is, writing the rows that a vault writes: the floor for the vault.
        .target(name: "CRawSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
        .target(
            name: "BenchmarkSupport", dependencies: [.product(name: "SignetCrypto", package: "signet")],
            swiftSettings: strict),
        // Builds neither jwt-kit nor BoringSSL: `swift run vault-benchmarks` builds what this product needs.
        .executableTarget(
            name: "vault-benchmarks",
            dependencies: [
                "BenchmarkSupport", "CRawSQLite",
                .product(name: "SignetCrypto", package: "signet"),
                .product(name: "SignetVault", package: "signet"),
            ],
            path: "Sources/VaultBenchmarks", swiftSettings: strict),
        .executableTarget(
            name: "signet-benchmarks",
            dependencies: [
                "BenchmarkSupport", "CPace", "CRawLibcrypto",
                .product(name: "SignetCrypto", package: "signet"),
                .product(name: "SignetJOSE", package: "signet"),
                .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Sources/SignetBenchmarks", swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
