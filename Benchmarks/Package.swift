// swift-tools-version: 6.3
// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// A package of its own: a program that depends on Signet never resolves jwt-kit. Only
// `signet-benchmarks` builds it with its BoringSSL: each make target builds one product.
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
let crypto = Target.Dependency.product(name: "SignetCrypto", package: "signet")
let jose = Target.Dependency.product(name: "SignetJOSE", package: "signet")

let package = Package(
    name: "signet-benchmarks",
    products: [
        // For LD_PRELOAD. Nothing links it.
        .library(name: "CountAllocations", type: .dynamic, targets: ["CountAllocations"])
    ],
    dependencies: [
        .package(name: "signet", path: ".."),
        .package(url: "https://github.com/vapor/jwt-kit", exact: "5.7.1"),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
    ],
    targets: [
        // The floors. libcrypto's header names no type of OpenSSL's, so that no Swift module sees
        // the headers of OpenSSL and of swift-crypto's BoringSSL together.
        .target(name: "CRawLibcrypto", linkerSettings: [.linkedLibrary("crypto")]),
        .target(name: "CRawSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
        // The statements of a rotation and no more, in SQLite and over libpq.
        .target(
            name: "CRawAccounts",
            linkerSettings: [.linkedLibrary("sqlite3"), .linkedLibrary("pq")]),
        .target(name: "CountAllocations"),
        // What callgrind and CountAllocations are asked through.
        .target(name: "CCounting"),
        .target(name: "BenchmarkSupport", dependencies: [crypto], swiftSettings: strict),
        .target(name: "TokenFixtures", dependencies: [crypto, jose], swiftSettings: strict),
        .executableTarget(
            name: "signet-benchmarks",
            dependencies: [
                "BenchmarkSupport", "TokenFixtures", "CRawLibcrypto", crypto, jose,
                .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Sources/TokenBenchmarks", swiftSettings: strict),
        .executableTarget(
            name: "vault-benchmarks",
            dependencies: [
                "BenchmarkSupport", "CRawSQLite", crypto,
                .product(name: "SignetVault", package: "signet"),
            ],
            path: "Sources/VaultBenchmarks", swiftSettings: strict),
        .executableTarget(
            name: "session-benchmarks",
            dependencies: [
                "BenchmarkSupport", crypto, .product(name: "SignetSession", package: "signet"),
            ],
            path: "Sources/SessionBenchmarks", swiftSettings: strict),
        .executableTarget(
            name: "accounts-benchmarks",
            dependencies: [
                "BenchmarkSupport", "CRawAccounts", jose,
                .product(name: "SignetAccounts", package: "signet"),
                .product(name: "SignetPostgres", package: "signet"),
            ],
            path: "Sources/AccountsBenchmarks", swiftSettings: strict),
        .executableTarget(
            name: "signet-counts", dependencies: ["TokenFixtures", "CCounting", crypto, jose],
            path: "Sources/SignetCounts", swiftSettings: strict),
        // Signet among the programs of Peers.
        .executableTarget(
            name: "token-peer", dependencies: ["BenchmarkSupport", "TokenFixtures", jose],
            path: "Sources/TokenPeer", swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
