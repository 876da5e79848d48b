// swift-tools-version: 6.3
// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// A package of its own: what it uses of Signet is public. The settings are those of Signet.
let strict: [SwiftSetting] = [
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "engine",
    dependencies: [.package(name: "signet", path: "../..")],
    targets: [
        // The driver: SQLite's own interface in C.
        .systemLibrary(
            name: "SystemSQLite",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .target(
            name: "Engine",
            dependencies: ["SystemSQLite", .product(name: "SignetAccounts", package: "signet")],
            swiftSettings: strict),
        .testTarget(
            name: "EngineTests",
            dependencies: [
                "Engine", .product(name: "SignetAccounts", package: "signet"),
                .product(name: "SignetAccountsTesting", package: "signet"),
            ], swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
