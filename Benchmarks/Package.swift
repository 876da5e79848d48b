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
        .executableTarget(
            name: "signet-benchmarks",
            dependencies: [
                "CRawLibcrypto",
                .product(name: "SignetCrypto", package: "signet"),
                .product(name: "SignetJOSE", package: "signet"),
                .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Sources/SignetBenchmarks", swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
