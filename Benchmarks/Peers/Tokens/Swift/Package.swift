// swift-tools-version: 6.3
// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// A package of its own, so that it builds neither jwt-kit nor BoringSSL.
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
    name: "signet-token-peer",
    dependencies: [.package(name: "signet", path: "../../../..")],
    targets: [
        .executableTarget(
            name: "token-peer", dependencies: [.product(name: "SignetJOSE", package: "signet")],
            path: "Sources/TokenPeer", swiftSettings: strict)
    ],
    swiftLanguageModes: [.v6]
)
