// swift-tools-version: 6.3
// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// A package of its own: what depends on Signet never resolves jwt-kit or swift-crypto.
let package = Package(
    name: "migration",
    dependencies: [
        .package(name: "signet", path: "../.."),
        .package(url: "https://github.com/vapor/jwt-kit", exact: "5.7.1"),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
    ],
    targets: [
        .executableTarget(
            name: "from-jwt-kit",
            dependencies: [
                .product(name: "SignetJOSE", package: "signet"),
                .product(name: "SignetCrypto", package: "signet"),
                .product(name: "JWTKit", package: "jwt-kit"),
            ], path: "Sources/FromJWTKit"),
        .executableTarget(
            name: "from-swift-crypto",
            dependencies: [
                .product(name: "SignetCrypto", package: "signet"),
                .product(name: "Crypto", package: "swift-crypto"),
            ], path: "Sources/FromSwiftCrypto"),
    ])
