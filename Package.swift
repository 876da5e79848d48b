// swift-tools-version: 6.3
// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let strictAsHummingbird: [SwiftSetting] = [
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
]
// With NonisolatedNonsendingByDefault, each middleware would have to state that the closures of
// Hummingbird's protocols are @concurrent.
let strict = strictAsHummingbird + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

// Of the test targets, only those named here are built, for ThreadSanitizer's runs for example.
let testTargets = Context.environment["SIGNET_TEST_TARGETS"]?.split(separator: ",").map(String.init)

// Set by the Makefile and Scripts/gate.py. The tests parse a million addresses: with -O that takes
// seconds of a processor, without it two minutes. What traps without -O traps with it as well.
let strictEmail =
    Context.environment["SIGNET_OPTIMIZED_EMAIL"] == nil
    ? strict : strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]

// Set by the Makefile: the commit, for the audit's report. (Context.gitInformation would name an
// earlier commit, because SwiftPM evaluates this file only when the file or the environment
// changes: Documentation/DECISIONS.md.)
let commit = Context.environment["SIGNET_COMMIT"].flatMap { text in
    text.isEmpty || text.contains { !$0.isHexDigit && !"-dirty".contains($0) } ? nil : text
}

// The C libraries whose headers this machine lacks. `signet` can do without libsecret. The Makefile
// sets this from Scripts/bootstrap.sh --without. A program that depends on this package does not
// need the setting: only the products that it names are built.
let without = (Context.environment["SIGNET_WITHOUT"] ?? "").split { $0 == "," || $0 == " " }.map(
    String.init)
for name in without where !["libsecret", "libpq"].contains(name) {
    guard name == "icu" else {
        fatalError("SIGNET_WITHOUT takes libsecret and libpq, with a comma between, not \(name).")
    }
    // SwiftPM shows what a manifest prints as a warning.
    print("SIGNET_WITHOUT=icu is no longer needed: Signet does without ICU.")
}

let package = Package(
    name: "signet",
    products: [
        .library(name: "SignetCrypto", targets: ["SignetCrypto"]),
        .library(name: "SignetJSON", targets: ["SignetJSON"]),
        .library(name: "SignetJOSE", targets: ["SignetJOSE"]),
        .library(name: "SignetIdentity", targets: ["SignetIdentity"]),
        .library(name: "SignetSignIn", targets: ["SignetSignIn"]),
        .library(name: "SignetFoundation", targets: ["SignetFoundation"]),
        .library(name: "SignetCurl", targets: ["SignetCurl"]),
        .library(name: "SignetHummingbird", targets: ["SignetHummingbird"]),
        .library(name: "SignetEmail", targets: ["SignetEmail"]),
        .library(name: "SignetAudit", targets: ["SignetAudit"]),
        .library(name: "SignetVault", targets: ["SignetVault"]),
        .library(name: "SignetVaultTesting", targets: ["SignetVaultTesting"]),
        .library(name: "SignetSecretService", targets: ["SignetSecretService"]),
        .library(name: "SignetSession", targets: ["SignetSession"]),
        .library(name: "SignetSupabase", targets: ["SignetSupabase"]),
        .library(name: "SignetAccounts", targets: ["SignetAccounts"]),
        .library(name: "SignetGoTrue", targets: ["SignetGoTrue"]),
        .library(name: "SignetAccountsTesting", targets: ["SignetAccountsTesting"]),
        .library(name: "SignetPostgres", targets: ["SignetPostgres"]),
        .library(name: "SignetSMTP", targets: ["SignetSMTP"]),
        // The executable `signet` is not declared as a product, because SwiftPM makes one of it
        // here by itself. So a package that depends on a library product does not even resolve what
        // only the command line uses.
    ],
    traits: [
        // A trait, because SwiftPM resolves what any product of a package uses, and a verifier of
        // tokens needs no server. It is the only one: if two are on, the compiler gets their names
        // in another order each time, and everything is compiled again (Documentation/DECISIONS.md).
        .trait(
            name: "Hummingbird",
            description: "SignetHummingbird, authentication for servers on Hummingbird")
    ],
    dependencies: [
        // Only the command line uses it: a package that depends on a library product alone does not
        // resolve it.
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        // The server, and the types in its interface; with its trait.
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.81.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.26.0"),
        .package(
            url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1",
            traits: ["FullFoundation"]),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.9.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.0.0"),
    ],
    targets: [
        // C libraries, and the only targets in which `unsafe` may appear.
        .systemLibrary(
            name: "COpenSSL", pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .target(name: "CSignetOpenSSL", dependencies: ["COpenSSL"]),
        // Bytes and secrets in memory. Of libcrypto it calls only the functions that wipe and
        // compare.
        .target(name: "SignetMemory", dependencies: ["COpenSSL"], swiftSettings: strict),
        .target(
            name: "OpenSSLBridge", dependencies: ["COpenSSL", "CSignetOpenSSL", "SignetMemory"],
            swiftSettings: strict),
        .systemLibrary(name: "CSignetSystem"),
        .target(name: "SignetCLibrary", swiftSettings: strict),
        .target(
            name: "SignetPlatform", dependencies: ["CSignetSystem", "SignetCLibrary"],
            swiftSettings: strict),
        .systemLibrary(
            name: "CSQLite", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .target(
            name: "SQLiteBridge", dependencies: ["CSQLite", "SignetPlatform"], swiftSettings: strict
        ),
        // No pkgConfig: that of GLib would add flags about which SwiftPM warns in every build.
        .systemLibrary(
            name: "CLibsecret", providers: [.apt(["libsecret-1-dev"]), .brew(["libsecret"])]),
        .target(
            name: "SecretServiceBridge",
            dependencies: ["CLibsecret", "SignetMemory", "SignetPlatform"],
            swiftSettings: strict),

        // What a server links.
        .target(
            name: "SignetCrypto",
            dependencies: ["SignetPlatform", "OpenSSLBridge", "SignetMemory"],
            swiftSettings: strict),
        .target(
            name: "SignetJSON", dependencies: ["SignetPlatform", "SignetMemory"],
            swiftSettings: strict),
        .target(
            name: "SignetJOSE",
            dependencies: ["SignetJSON", "SignetCrypto", "SignetMemory", "SignetPlatform"],
            swiftSettings: strict),

        // A user's identity: ID tokens, keys of issuers, addresses. Links only libcrypto; the
        // transports bring the network.
        .target(name: "SignetEmail", dependencies: ["SignetPlatform"], swiftSettings: strictEmail),
        .target(
            name: "SignetIdentity",
            dependencies: [
                "SignetPlatform", "SignetJOSE", "SignetCrypto", "SignetEmail", "SignetMemory",
            ],
            swiftSettings: strict),
        // The authorization-code flow, which a server that only verifies does not need.
        .target(
            name: "SignetSignIn",
            dependencies: ["SignetPlatform", "SignetIdentity", "SignetJOSE", "SignetCrypto"],
            swiftSettings: strict),
        // For programs that use Foundation: dates in claims, localizedDescription.
        .target(name: "SignetFoundation", dependencies: ["SignetPlatform"], swiftSettings: strict),
        // Not named after libcurl alone: other packages use such a name, and two targets with the
        // same name do not resolve.
        .systemLibrary(
            name: "CSignetCurl", providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
        .target(
            name: "CurlBridge", dependencies: ["CSignetCurl", "CSignetOpenSSL", "SignetPlatform"],
            swiftSettings: strict),
        .target(
            name: "SignetCurl",
            dependencies: ["SignetIdentity", "SignetJSON", "SignetPlatform", "CurlBridge"],
            swiftSettings: strict),

        // Authentication for servers on Hummingbird; empty without its trait.
        .target(
            name: "SignetHummingbird",
            dependencies: [
                "SignetSignIn", "SignetIdentity", "SignetJOSE", "SignetPlatform",
                .product(
                    name: "Hummingbird", package: "hummingbird",
                    condition: .when(traits: ["Hummingbird"])),
                .product(
                    name: "HummingbirdCore", package: "hummingbird",
                    condition: .when(traits: ["Hummingbird"])),
                .product(
                    name: "HTTPTypes", package: "swift-http-types",
                    condition: .when(traits: ["Hummingbird"])),
                .product(
                    name: "NIOCore", package: "swift-nio",
                    condition: .when(traits: ["Hummingbird"])),
                .product(
                    name: "Logging", package: "swift-log",
                    condition: .when(traits: ["Hummingbird"])),
                .product(
                    name: "Metrics", package: "swift-metrics",
                    condition: .when(traits: ["Hummingbird"])),
                .product(
                    name: "ServiceLifecycle", package: "swift-service-lifecycle",
                    condition: .when(traits: ["Hummingbird"])),
                .product(
                    name: "NIOHTTP1", package: "swift-nio",
                    condition: .when(traits: ["Hummingbird"])),
                .product(
                    name: "NIOHTTPTypes", package: "swift-nio-extras",
                    condition: .when(traits: ["Hummingbird"])),
            ],
            swiftSettings: strictAsHummingbird),

        // The stores of secrets. The vault links SQLite, the Secret Service links GLib and
        // libsecret.
        .target(
            name: "SignetVault",
            dependencies: [
                "SignetCrypto", "SignetFoundation", "SignetPlatform", "SignetMemory",
                "SQLiteBridge",
            ], swiftSettings: strict),
        .target(
            name: "SignetVaultTesting", dependencies: ["SignetVault", "SignetPlatform"],
            swiftSettings: strict
        ),
        .target(
            name: "SignetSecretService",
            dependencies: [
                "SignetVault", "SignetCrypto", "SignetMemory", "SecretServiceBridge",
                "SignetPlatform",
            ],
            swiftSettings: strict),

        // A client's sessions, over any store and any server that can refresh.
        .target(
            name: "SignetSession",
            dependencies: [
                "SignetVault", "SignetCrypto", "SignetSignIn", "SignetIdentity", "SignetJSON",
                "SignetPlatform",
            ],
            swiftSettings: strict),
        // A client of GoTrue, and its tokens.
        .target(
            name: "SignetSupabase",
            dependencies: [
                "SignetSession", "SignetSignIn", "SignetIdentity", "SignetJOSE", "SignetEmail",
                "SignetCrypto", "SignetPlatform",
            ],
            swiftSettings: strict),

        // A server's accounts, sessions, codes and limits, over SQLite or another engine.
        .target(
            name: "SignetAccounts",
            dependencies: [
                "SignetVault", "SignetSignIn", "SignetIdentity", "SignetJOSE", "SignetJSON",
                "SignetEmail", "SignetCrypto", "SignetMemory", "SignetPlatform", "SQLiteBridge",
            ],
            swiftSettings: strict),
        // A sign-in service with GoTrue's interface, behind any HTTP server.
        .target(
            name: "SignetGoTrue",
            dependencies: [
                "SignetAccounts", "SignetSignIn", "SignetIdentity", "SignetJOSE", "SignetEmail",
                "SignetCrypto", "SignetPlatform",
            ],
            swiftSettings: strict),
        // PostgreSQL as an engine of accounts: links libpq, which no other target does. No
        // pkgConfig, because pkg-config may be absent: the shim finds the header by its place.
        .systemLibrary(name: "CLibPQ", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        .target(
            name: "PostgresBridge", dependencies: ["CLibPQ", "CSignetOpenSSL", "SignetPlatform"],
            swiftSettings: strict),
        .target(
            name: "SignetPostgres",
            dependencies: ["SignetAccounts", "SignetPlatform", "PostgresBridge"],
            swiftSettings: strict),
        // Codes by e-mail. Links libcurl, which accounts do not need.
        .target(
            name: "SignetSMTP",
            dependencies: [
                "SignetAccounts", "SignetCurl", "SignetIdentity", "SignetEmail", "SignetJSON",
                "SignetCrypto", "SignetPlatform", "CurlBridge",
            ],
            swiftSettings: strict),
        // Checks of a database engine, and of what is built on it.
        .target(
            name: "SignetAccountsTesting",
            dependencies: [
                "SignetAccounts", "SignetIdentity", "SignetSignIn", "SignetJOSE", "SignetCrypto",
                "SignetPlatform",
            ],
            swiftSettings: strict),

        // The audit and the published figures that it runs.
        .target(
            name: "TestVectors", dependencies: ["SignetPlatform"], path: "TestVectors",
            exclude: ["README.md", "LICENSES.md"],
            resources: [.copy("Figures")],
            swiftSettings: strict),
        .target(
            name: "SignetAudit",
            dependencies: [
                "SignetPlatform", "SignetJOSE", "SignetCrypto", "SignetEmail", "SignetFoundation",
                "TestVectors",
            ], swiftSettings: strict),

        .target(
            name: "CSignetCommit",
            cSettings: [.define("SIGNET_COMMIT", to: "\"\(commit ?? "unknown")\"")]),
        .target(name: "CSignetArguments"),
        .executableTarget(
            name: "signet",
            dependencies: [
                "CSignetArguments", "CSignetCommit", "SignetJOSE", "SignetCrypto", "SignetAudit",
                "SignetVault",
                "SignetPlatform", "SignetMemory",
                "SignetIdentity", "SignetEmail", "SignetCurl", "SignetSignIn", "SignetSession",
                "SignetSupabase",
                without.contains("libsecret") ? nil : "SignetSecretService",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ].compactMap(\.self),
            exclude: [
                "Libraries/\(without.contains("libsecret") ? "SystemKeyring" : "SystemKeyring+Missing").swift"
            ],
            swiftSettings: strict),

        // The tests: one target for each library, and one that all of them share. No product, so no
        // consumer builds them.
        .target(name: "CTestPrograms", path: "Tests/CTestPrograms"),
        .target(
            name: "TestPrograms", dependencies: ["CTestPrograms"], path: "Tests/TestPrograms",
            swiftSettings: strict),
        .target(
            name: "TestSupport",
            dependencies: [
                "TestPrograms",
                "OpenSSLBridge", "SignetMemory", "SignetPlatform", "SignetCrypto", "SignetJOSE",
                "SignetIdentity", "SignetVault", "SQLiteBridge",
            ],
            path: "Tests/TestSupport", resources: [.copy("KeyServer/Scripts")],
            swiftSettings: strict),
        .testTarget(
            name: "SignetCryptoTests",
            dependencies: [
                "SignetCrypto", "SignetMemory", "OpenSSLBridge", "COpenSSL", "TestSupport",
                "ForkedChild",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "SignetJOSETests",
            dependencies: [
                "SignetJOSE", "SignetCrypto", "SignetFoundation", "SignetIdentity", "SignetSignIn",
                "SignetEmail",
                "SignetVault", "SignetPlatform", "SignetMemory", "TestPrograms", "TestSupport",
                "token-worker",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "SignetIdentityTests",
            dependencies: [
                "SignetIdentity", "SignetSignIn", "SignetSession", "SignetVaultTesting",
                "SignetCurl", "CurlBridge", "SignetJOSE", "SignetCrypto", "SignetEmail",
                "SignetPlatform", "TestPrograms", "TestSupport",
            ],
            exclude: ["Interop/requirements.txt"], resources: [.copy("Interop/Scripts")],
            swiftSettings: strict),
        .testTarget(
            name: "SignetHummingbirdTests",
            dependencies: [
                "SignetHummingbird", "SignetIdentity", "SignetSignIn", "SignetJOSE",
                "SignetCrypto", "SignetPlatform", "TestSupport",
                .product(
                    name: "Hummingbird", package: "hummingbird",
                    condition: .when(traits: ["Hummingbird"])),
                .product(
                    name: "HummingbirdTesting", package: "hummingbird",
                    condition: .when(traits: ["Hummingbird"])),
                .product(
                    name: "HummingbirdCore", package: "hummingbird",
                    condition: .when(traits: ["Hummingbird"])),
                .product(
                    name: "HTTPTypes", package: "swift-http-types",
                    condition: .when(traits: ["Hummingbird"])),
                .product(
                    name: "NIOCore", package: "swift-nio",
                    condition: .when(traits: ["Hummingbird"])),
                .product(
                    name: "NIOEmbedded", package: "swift-nio",
                    condition: .when(traits: ["Hummingbird"])),
                .product(
                    name: "NIOHTTPTypes", package: "swift-nio-extras",
                    condition: .when(traits: ["Hummingbird"])),
                .product(
                    name: "Logging", package: "swift-log",
                    condition: .when(traits: ["Hummingbird"])),
            ], swiftSettings: strictAsHummingbird),
        .testTarget(
            name: "SignetEmailTests",
            dependencies: ["SignetEmail", "TestVectors", "TestPrograms", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "SignetVaultTests",
            dependencies: [
                "SignetVault", "SignetVaultTesting", "SignetCrypto", "SignetMemory",
                "OpenSSLBridge",
                "SQLiteBridge",
                "CSQLite", "SignetPlatform", "FaultVFS", "TestPrograms", "TestSupport",
                "vault-worker",
            ],
            resources: [.copy("VaultFormat/Fixtures"), .copy("VaultFormat/Python")],
            swiftSettings: strict),
        .testTarget(
            name: "SignetSecretServiceTests",
            dependencies: [
                "SignetSecretService", "SecretServiceBridge", "SignetVault", "SignetVaultTesting",
                "SignetCrypto", "SignetMemory", "TestPrograms", "TestSupport",
                "secret-service-worker",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "SignetSessionTests",
            dependencies: [
                "SignetSession", "SignetVault", "SignetVaultTesting", "SignetCrypto",
                "SignetIdentity", "SignetSignIn", "SignetCurl", "SignetPlatform", "TestPrograms",
                "TestSupport", "SessionServer", "session-worker",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "SignetSupabaseTests",
            dependencies: [
                "SignetSupabase", "SignetVault", "SignetVaultTesting", "SignetIdentity",
                "SignetCurl", "SignetJOSE", "SignetEmail", "SignetCrypto", "SignetPlatform",
                "TestPrograms", "TestSupport",
            ],
            resources: [.copy("Peers/Scripts")], swiftSettings: strict),
        .testTarget(
            name: "SignetAccountsTests",
            dependencies: [
                "SignetAccounts", "SignetAccountsTesting", "SignetVault", "SignetIdentity",
                "SignetJOSE", "SignetSignIn", "SignetEmail", "SignetCrypto", "SQLiteBridge",
                "SignetPlatform", "TestPrograms", "TestSupport", "SessionServer", "AccountServers",
                "account-worker",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "SignetPostgresTests",
            dependencies: [
                "SignetPostgres", "SignetAccounts", "SignetAccountsTesting", "SignetIdentity",
                "SignetJOSE", "SignetSignIn", "SignetCrypto", "SignetPlatform", "TestSupport",
                "SessionServer", "AccountServers", "PostgresBridge", "account-worker",
            ],
            resources: [.copy("Scripts")], swiftSettings: strict),
        .testTarget(
            name: "SignetGoTrueTests",
            dependencies: [
                "SignetGoTrue", "SignetAccounts", "SignetSupabase", "SignetSession", "SignetVault",
                "SignetCurl", "SignetIdentity", "SignetJOSE", "SignetSignIn", "SignetEmail",
                "SignetCrypto", "SignetPlatform", "AccountServers", "TestPrograms", "TestSupport",
            ],
            resources: [.copy("Peers/Scripts")], swiftSettings: strict),
        .testTarget(
            name: "SignetSMTPTests",
            dependencies: [
                "SignetSMTP", "SignetAccounts", "SignetAccountsTesting", "SignetSignIn",
                "SignetEmail", "SignetCrypto", "CurlBridge", "SignetPlatform", "TestPrograms",
                "TestSupport",
            ],
            resources: [.copy("Scripts")], swiftSettings: strict),
        .testTarget(
            name: "SignetAuditTests",
            dependencies: [
                "SignetAudit", "SignetJOSE", "SignetCrypto", "TestVectors", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "CommandLineTests",
            dependencies: [
                "signet", "SignetJOSE", "SignetCrypto", "SignetVault", "TestPrograms",
                "TestSupport",
            ],
            resources: [.copy("Fixtures"), .copy("Scripts")], swiftSettings: strict),
        // Everything in the libraries that threads share: `make test-threads` builds only this
        // target.
        .testTarget(
            name: "ThreadTests",
            dependencies: [
                "OpenSSLBridge", "SignetMemory", "SignetPlatform", "SignetCrypto", "SignetJOSE",
                "SignetIdentity",
                "SignetVault", "TestSupport",
            ], swiftSettings: strict),
        // What the tests start or call: fork, which Swift cannot call, memory and a file system
        // that fail, and programs that are killed.
        .target(name: "ForkedChild", path: "Tests/ForkedChild"),
        .target(name: "FailingMalloc", path: "Tests/FailingMalloc"),
        .executableTarget(
            name: "token-worker", dependencies: ["SignetJOSE", "COpenSSL", "FailingMalloc"],
            path: "Tests/TokenWorker", swiftSettings: strict),
        // A client that is killed, and the server that it shares with others.
        .target(
            name: "SessionServer",
            dependencies: ["SignetSession", "SignetPlatform", "TestPrograms"],
            path: "Tests/SessionServer", swiftSettings: strict),
        .executableTarget(
            name: "session-worker", dependencies: ["SignetSession", "SessionServer"],
            path: "Tests/SessionWorker", swiftSettings: strict),
        // Servers with sessions on one database, which are killed, and a PostgreSQL for them.
        .target(
            name: "AccountServers",
            dependencies: [
                "SignetAccounts", "SignetPostgres", "PostgresBridge", "SignetIdentity",
                "SignetJOSE", "SignetSignIn",
                "SignetCrypto", "SignetPlatform", "SessionServer", "TestPrograms", "TestSupport",
            ],
            path: "Tests/AccountServers", swiftSettings: strict),
        .executableTarget(
            name: "account-worker", dependencies: ["AccountServers"],
            path: "Tests/AccountWorker", swiftSettings: strict),
        .target(name: "FaultVFS", dependencies: ["CSQLite"], path: "Tests/FaultVFS"),
        .executableTarget(
            name: "vault-worker", dependencies: ["SignetVault", "SignetCrypto"],
            path: "Tests/VaultWorker", swiftSettings: strict),
        .executableTarget(
            name: "secret-service-worker",
            dependencies: [
                "SignetSecretService", "SecretServiceBridge", "SignetVault", "SignetVaultTesting",
                "SignetCrypto", "SignetSession", "SessionServer",
            ],
            path: "Tests/SecretServiceWorker", swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)

if let testTargets {
    package.targets.removeAll { $0.type == .test && !testTargets.contains($0.name) }
}

// SwiftPM compiles a target again when a module that it lists changes, not when one of those that
// they use in turn does. A value with a part from there would keep its old size, and a call its old
// place among a class's methods: a wrong answer or a crash in every build that is not from nothing
// (swiftlang/swift-package-manager#10483). So each target lists all that it is made of, and each
// product does the same for the programs that depend on it.
let direct = Dictionary(
    uniqueKeysWithValues: package.targets.filter { $0.type == .regular }.map {
        ($0.name, $0.dependencies.compactMap(nameOfTarget))
    })
for target in package.targets where target.type != .system {
    let listed = target.dependencies.compactMap(nameOfTarget)
    target.dependencies += parts(of: listed, direct).map { .byName(name: $0) }
}
package.products = package.products.map { product in
    guard let library = product as? Product.Library else { return product }
    let targets = library.targets + parts(of: library.targets, direct)
    return .library(name: library.name, type: library.type, targets: targets)
}

/// The target of this package that a dependency names; nil for a product of another.
func nameOfTarget(_ dependency: Target.Dependency) -> String? {
    switch dependency {
    case .targetItem(let name, _), .byNameItem(let name, _): name
    default: nil
    }
}

/// What the targets use in turn and do not list; no programs, and none of the system's libraries.
func parts(of listed: [String], _ direct: [String: [String]]) -> [String] {
    var found = Set(listed)
    var waiting = listed
    while let name = waiting.popLast() {
        for next in direct[name] ?? [] where direct[next] != nil && found.insert(next).inserted {
            waiting.append(next)
        }
    }
    return found.subtracting(listed).sorted()
}
