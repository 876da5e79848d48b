// swift-tools-version: 6.3
// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
    name: "protected-route",
    dependencies: [
        .package(name: "signet", path: "../..", traits: ["Hummingbird"]),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    ],
    targets: [
        .executableTarget(
            name: "protected-route",
            dependencies: [
                .product(name: "SignetHummingbird", package: "signet"),
                .product(name: "SignetCurl", package: "signet"),
                .product(name: "Hummingbird", package: "hummingbird"),
            ], path: "Sources/ProtectedRoute"),
        // For Scripts/load.sh: what verifying costs without a server around it.
        .executableTarget(
            name: "verification-alone",
            dependencies: [
                .product(name: "SignetIdentity", package: "signet"),
                .product(name: "SignetCurl", package: "signet"),
            ], path: "Sources/VerificationAlone"),
    ])
