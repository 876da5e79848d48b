// swift-tools-version: 6.3
// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// A package of its own, so that a program that depends on Signet resolves no HTTP server. The
// settings are those of Signet, except for NonisolatedNonsendingByDefault: with it, every
// middleware would have to state that the closures of Hummingbird's protocols are @concurrent.
let strict: [SwiftSetting] = [
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
]

func signet(_ products: String...) -> [Target.Dependency] {
    products.map { .product(name: $0, package: "signet") }
}

let package = Package(
    name: "auth-server",
    products: [
        .executable(name: "auth-server", targets: ["AuthServerCommand"]),
        .executable(name: "dev-issuer", targets: ["DevIssuerCommand"]),
    ],
    dependencies: [
        .package(name: "signet", path: "../..", traits: ["Hummingbird"]),
        // Without its other default trait, because settings come from the environment here, and
        // swift-configuration need not be built.
        .package(
            url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1",
            traits: ["FullFoundation"]),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.0.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.20.0"),
    ],
    // Each target lists the products under the targets that it lists, too: the manifest of Signet
    // says why.
    targets: [
        // The server. It is a library, so that the tests run the same application as the command.
        .target(
            name: "AuthServer",
            dependencies: signet(
                "SignetAccounts", "SignetSignIn", "SignetIdentity", "SignetEmail", "SignetJOSE",
                "SignetCrypto", "SignetVault", "SignetHummingbird", "SignetHummingbirdAccounts",
                "SignetSMTP")
                + [
                    .product(name: "Hummingbird", package: "hummingbird"),
                    .product(name: "HummingbirdCore", package: "hummingbird"),
                    .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                    .product(name: "Logging", package: "swift-log"),
                    .product(name: "HTTPTypes", package: "swift-http-types"),
                    .product(name: "NIOCore", package: "swift-nio"),
                    .product(name: "NIOHTTP1", package: "swift-nio"),
                    .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                ], swiftSettings: strict),
        .executableTarget(
            name: "AuthServerCommand",
            dependencies: ["AuthServer"]
                + signet(
                    "SignetCurl", "SignetAccounts", "SignetPostgres", "SignetHummingbird",
                    "SignetSMTP")
                + [
                    .product(name: "Hummingbird", package: "hummingbird"),
                    .product(name: "Logging", package: "swift-log"),
                ], swiftSettings: strict),
        // A whole sign-in in one file.
        .executableTarget(
            name: "SmallServer",
            dependencies: signet(
                "SignetAccounts", "SignetCurl", "SignetHummingbird", "SignetHummingbirdAccounts",
                "SignetIdentity", "SignetSignIn", "SignetVault")
                + [.product(name: "Hummingbird", package: "hummingbird")], swiftSettings: strict),
        // A sign-in service for Supabase's clients in one file.
        .executableTarget(
            name: "GoTrueServer",
            dependencies: signet(
                "SignetAccounts", "SignetGoTrue", "SignetHummingbird", "SignetHummingbirdAccounts",
                "SignetHummingbirdGoTrue", "SignetIdentity", "SignetVault")
                + [.product(name: "Hummingbird", package: "hummingbird")], swiftSettings: strict),

        // An OpenID provider for development, with its own keys, for this machine only.
        .target(
            name: "DevIssuer",
            dependencies: signet("SignetIdentity", "SignetSignIn", "SignetJOSE", "SignetCrypto")
                + [
                    .product(name: "Hummingbird", package: "hummingbird"),
                    .product(name: "HummingbirdCore", package: "hummingbird"),
                    .product(name: "HTTPTypes", package: "swift-http-types"),
                    .product(name: "Logging", package: "swift-log"),
                    .product(name: "NIOCore", package: "swift-nio"),
                ], swiftSettings: strict),
        .executableTarget(
            name: "DevIssuerCommand",
            dependencies: ["DevIssuer"] + signet("SignetSignIn") + [
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
            ], swiftSettings: strict),

        .testTarget(
            name: "AuthServerTests",
            dependencies: ["AuthServer", "DevIssuer"]
                + signet(
                    "SignetAccounts", "SignetSignIn", "SignetIdentity", "SignetJOSE",
                    "SignetCrypto", "SignetCurl", "SignetVault", "SignetHummingbird", "SignetSMTP",
                    "SignetSession", "SignetVaultTesting")
                + [
                    .product(name: "Hummingbird", package: "hummingbird"),
                    .product(name: "Logging", package: "swift-log"),
                    .product(name: "NIOCore", package: "swift-nio"),
                    .product(name: "NIOHTTP1", package: "swift-nio"),
                    .product(name: "NIOPosix", package: "swift-nio"),
                    .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                ],
            // Its databases are Signet's, whose closures run where they are called.
            swiftSettings: strict + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
    ],
    swiftLanguageModes: [.v6]
)
