// swift-tools-version: 6.3
// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// A package of its own: it is built in every gate, and jwt-kit and BoringSSL are not.
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
    name: "signet-counts",
    products: [
        .executable(name: "signet-counts", targets: ["signet-counts"]),
        // For LD_PRELOAD. Nobody links it.
        .library(name: "CountAllocations", type: .dynamic, targets: ["CountAllocations"]),
    ],
    dependencies: [.package(name: "signet", path: "../..")],
    targets: [
        .target(name: "CountAllocations"),
        // What the counters are asked through, and HMAC of libcrypto with nothing around it.
        .target(name: "CCounting", linkerSettings: [.linkedLibrary("crypto")]),
        .executableTarget(
            name: "signet-counts",
            dependencies: [
                "CCounting",
                .product(name: "SignetCrypto", package: "signet"),
                .product(name: "SignetJOSE", package: "signet"),
            ],
            path: "Sources/SignetCounts", swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
