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
let hasLibsecret = !without.contains("libsecret")

/// A folder of Sources, and of Tests. What a target uses is written as names with spaces between.
struct Wing {
    let name: String

    func library(
        _ target: String, _ uses: String = "", with products: [Target.Dependency] = [],
        settings: [SwiftSetting] = strict
    ) -> Target {
        .target(
            name: target, dependencies: names(uses) + products, path: "Sources/\(name)/\(target)",
            swiftSettings: settings)
    }

    func cLibrary(_ target: String, _ uses: String = "", settings: [CSetting] = []) -> Target {
        .target(
            name: target, dependencies: names(uses), path: "Sources/\(name)/\(target)",
            cSettings: settings)
    }

    /// The headers of a library in C that the system has.
    func headers(
        _ target: String, pkgConfig: String? = nil, providers: [SystemPackageProvider]? = nil
    ) -> Target {
        .systemLibrary(
            name: target, path: "Sources/\(name)/\(target)", pkgConfig: pkgConfig,
            providers: providers)
    }

    func tests(
        _ target: String, _ uses: String, with products: [Target.Dependency] = [],
        exclude: [String] = [], copying resources: String = "", settings: [SwiftSetting] = strict
    ) -> Target {
        .testTarget(
            name: target, dependencies: names(uses) + products, path: "Tests/\(name)/\(target)",
            exclude: exclude, resources: resources.split(separator: " ").map { .copy(String($0)) },
            swiftSettings: settings)
    }

    /// What several test targets use.
    func support(_ target: String, _ uses: String, copying resources: String = "") -> Target {
        .target(
            name: target, dependencies: names(uses), path: "Tests/\(name)/\(target)",
            resources: resources.split(separator: " ").map { .copy(String($0)) },
            swiftSettings: strict)
    }

    /// The same in C.
    func cSupport(_ target: String, _ uses: String = "") -> Target {
        .target(name: target, dependencies: names(uses), path: "Tests/\(name)/\(target)")
    }

    /// A program that tests start.
    func worker(_ target: String, in folder: String, _ uses: String) -> Target {
        .executableTarget(
            name: target, dependencies: names(uses), path: "Tests/\(name)/\(folder)",
            swiftSettings: strict)
    }

    private func names(_ text: String) -> [Target.Dependency] {
        text.split(separator: " ").map { .byName(name: String($0)) }
    }
}

let base = Wing(name: "base")
let system = Wing(name: "system")
let tokens = Wing(name: "tokens")
let stores = Wing(name: "stores")
let clients = Wing(name: "clients")
let servers = Wing(name: "servers")
let tools = Wing(name: "tools")

// With the trait alone.
func hummingbird(_ products: [(String, String)]) -> [Target.Dependency] {
    products.map {
        .product(name: $0.0, package: $0.1, condition: .when(traits: ["Hummingbird"]))
    }
}

let package = Package(
    name: "signet",
    // The executable `signet` is not declared as a product, because SwiftPM makes one of it here by
    // itself. So a package that depends on a library product does not even resolve what only the
    // command line uses.
    products: [
        "SignetBase", "SignetCrypto", "SignetJSON", "SignetJOSE", "SignetSessionTokens",
        "SignetIdentity", "SignetSignIn", "SignetFoundation", "SignetCurl", "SignetHummingbird",
        "SignetHummingbirdAccounts", "SignetHummingbirdGoTrue", "SignetEmail", "SignetAudit",
        "SignetVault",
        "SignetVaultTesting", "SignetSecretService", "SignetSession", "SignetSessionTesting",
        "SignetSupabase", "SignetSupabaseAdmin", "SignetLogin", "SignetAccounts", "SignetGoTrue",
        "SignetAccountsTesting", "SignetPostgres", "SignetSMTP",
    ].map { .library(name: $0, targets: [$0]) } + [
        // No API: what the servers need of these two walls, were they a package of their own
        // (Scripts/seams.sh).
        .library(name: "_SQLiteBridge", targets: ["SQLiteBridge"]),
        .library(name: "_CurlBridge", targets: ["CurlBridge"]),
    ],
    traits: [
        // A trait, because SwiftPM resolves what any product of a package uses, and a verifier of
        // tokens needs no server. It is the only one: if two are on, the compiler gets their names
        // in another order each time, and everything is compiled again
        // (Documentation/DECISIONS.md).
        .trait(
            name: "Hummingbird",
            description: "SignetHummingbird and its mounts: servers on Hummingbird")
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
    // Each target names what it uses beyond what that brings: the end of this file adds the rest.
    targets: [
        // Values, and bytes and secrets in memory. SignetMemory calls of libcrypto only the
        // functions that wipe and compare.
        base.headers(
            "COpenSSL", pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        base.library("SignetMemory", "COpenSSL"),
        base.library("SignetCLibrary"),
        // The coded error, times and clocks, locks, redaction.
        base.library("SignetBase", "SignetCLibrary"),
        // For programs that use Foundation: dates in claims, localizedDescription.
        base.library("SignetFoundation", "SignetBase"),

        // The system's calls, and the walls around libraries in C. With SignetMemory, the only
        // targets in which `unsafe` may appear.
        system.headers("CSignetSystem"),
        system.library("SignetPlatform", "CSignetSystem SignetBase"),
        system.cLibrary("CSignetOpenSSL", "COpenSSL"),
        system.library("OpenSSLBridge", "COpenSSL CSignetOpenSSL SignetMemory"),
        system.headers("CSQLite", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        system.library("SQLiteBridge", "CSQLite SignetPlatform"),
        // No pkgConfig: that of GLib would add flags about which SwiftPM warns in every build.
        system.headers("CLibsecret", providers: [.apt(["libsecret-1-dev"]), .brew(["libsecret"])]),
        system.library("SecretServiceBridge", "CLibsecret SignetMemory SignetPlatform"),
        // Not named after libcurl alone: other packages use such a name, and two targets with the
        // same name do not resolve.
        system.headers(
            "CSignetCurl", providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
        system.library("CurlBridge", "CSignetCurl CSignetOpenSSL SignetPlatform"),

        // What a server links to verify tokens: libcrypto alone.
        tokens.library("SignetCrypto", "SignetBase OpenSSLBridge"),
        tokens.library("SignetJSON", "SignetBase SignetMemory"),
        tokens.library("SignetJOSE", "SignetJSON SignetCrypto"),
        tokens.library("SignetEmail", "SignetBase", settings: strictEmail),
        // A server's own session tokens, which need no provider and no transport.
        tokens.library("SignetSessionTokens", "SignetJOSE"),
        tokens.library("SignetIdentity", "SignetSessionTokens SignetEmail"),
        // The authorization-code flow, which a server that only verifies does not need.
        tokens.library("SignetSignIn", "SignetIdentity SignetPlatform"),

        // The stores of secrets. The vault links SQLite, the Secret Service GLib and libsecret.
        stores.library("SignetVault", "SignetCrypto SignetFoundation SQLiteBridge"),
        stores.library("SignetVaultTesting", "SignetVault"),
        stores.library("SignetSecretService", "SignetVault SecretServiceBridge"),

        // A client's sessions over any store and any server that can refresh, such a server for
        // tests, a client of GoTrue, the administrator's calls to it, the accounts of a program on a
        // person's machine, and the transport over libcurl.
        clients.library("SignetSession", "SignetVault SignetSignIn"),
        clients.library("SignetSessionTesting", "SignetSession SignetVaultTesting"),
        clients.library("SignetSupabase", "SignetSession"),
        // A server's, but with SignetSupabase it shares the calls and the reading of answers, which
        // are no public API.
        clients.library("SignetSupabaseAdmin", "SignetSupabase"),
        clients.library("SignetLogin", "SignetSupabase"),
        clients.library("SignetCurl", "SignetIdentity CurlBridge"),

        // A server's accounts, sessions, codes and limits, over SQLite or another engine; checks of
        // an engine, and of what is built on it.
        servers.library("SignetAccounts", "SignetVault SignetSignIn SQLiteBridge"),
        servers.library("SignetAccountsTesting", "SignetAccounts"),
        // A sign-in service with GoTrue's interface, behind any HTTP server.
        servers.library("SignetGoTrue", "SignetAccounts"),
        // PostgreSQL as an engine of accounts: links libpq, which no other target does. No
        // pkgConfig, because pkg-config may be absent: the shim finds the header by its place.
        servers.headers("CLibPQ", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        servers.library("PostgresBridge", "CLibPQ SignetBase"),
        servers.library("SignetPostgres", "SignetAccounts PostgresBridge"),
        // Codes by e-mail. Links libcurl, which accounts do not need.
        servers.library("SignetSMTP", "SignetAccounts CurlBridge"),
        // Authentication for servers on Hummingbird; empty without its trait.
        servers.library(
            "SignetHummingbird", "SignetSignIn",
            with: hummingbird([
                ("Hummingbird", "hummingbird"), ("HummingbirdCore", "hummingbird"),
                ("HTTPTypes", "swift-http-types"), ("NIOCore", "swift-nio"),
                ("Logging", "swift-log"), ("Metrics", "swift-metrics"),
                ("ServiceLifecycle", "swift-service-lifecycle"), ("NIOHTTP1", "swift-nio"),
                ("NIOHTTPTypes", "swift-nio-extras"),
            ]), settings: strictAsHummingbird),
        // A target of its own, so that a server that only verifies tokens links no SQLite.
        servers.library(
            "SignetHummingbirdAccounts", "SignetHummingbird SignetAccounts",
            with: hummingbird([
                ("Hummingbird", "hummingbird"), ("HTTPTypes", "swift-http-types"),
                ("NIOCore", "swift-nio"), ("Logging", "swift-log"),
                ("ServiceLifecycle", "swift-service-lifecycle"),
            ]), settings: strictAsHummingbird),
        // Another, so that a server of accounts compiles no GoTrue.
        servers.library(
            "SignetHummingbirdGoTrue", "SignetHummingbirdAccounts SignetGoTrue",
            with: hummingbird([
                ("Hummingbird", "hummingbird"), ("HTTPTypes", "swift-http-types"),
                ("NIOCore", "swift-nio"), ("Logging", "swift-log"),
            ]), settings: strictAsHummingbird),

        // The audit and the published figures that it runs, and the command line.
        .target(
            name: "TestVectors", dependencies: ["SignetPlatform"], path: "TestVectors",
            exclude: ["README.md", "LICENSES.md"], resources: [.copy("Figures")],
            swiftSettings: strict),
        tools.library(
            "SignetAudit", "SignetJOSE SignetEmail SignetFoundation SignetPlatform TestVectors"),
        tools.cLibrary(
            "CSignetCommit",
            settings: [.define("SIGNET_COMMIT", to: "\"\(commit ?? "unknown")\"")]),
        tools.cLibrary("CSignetArguments"),
        .executableTarget(
            name: "signet",
            dependencies: [
                "CSignetArguments", "CSignetCommit", "SignetAudit", "SignetCurl", "SignetLogin",
                hasLibsecret ? "SignetSecretService" : nil,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ].compactMap(\.self),
            path: "Sources/tools/signet",
            exclude: [
                "Libraries/\(hasLibsecret ? "SystemKeyring+Missing" : "SystemKeyring").swift"
            ],
            swiftSettings: strict),

        // The tests: one target for each library, and what they share. No product, so no consumer
        // builds them.
        base.cSupport("CTestPrograms"),
        base.support("TestPrograms", "CTestPrograms"),
        base.support(
            "TestSupport", "TestPrograms SignetSignIn SignetVault",
            copying: "KeyServer/Scripts"),
        // What the tests start or call: fork, which Swift cannot call, memory and a file system
        // that fail, and programs that are killed.
        base.cSupport("ForkedChild"),
        base.cSupport("FailingMalloc"),
        // Everything in the libraries that threads share: `make test-threads` builds only this.
        base.tests("ThreadTests", "TestSupport"),
        base.tests("SignetBaseTests", "SignetBase TestSupport"),
        base.tests("SignetFoundationTests", "SignetFoundation TestSupport"),
        system.tests("SignetPlatformTests", "SignetPlatform TestSupport"),
        tokens.tests("SignetCryptoTests", "SignetCrypto COpenSSL TestSupport ForkedChild"),
        // With SignetJOSE: what JSON refuses is refused in a token too.
        tokens.tests("SignetJSONTests", "SignetJOSE TestSupport"),
        tokens.tests("SignetJOSETests", "SignetJOSE TestSupport token-worker"),
        tokens.worker("token-worker", in: "TokenWorker", "SignetJOSE COpenSSL FailingMalloc"),
        tokens.tests("SignetSessionTokensTests", "SignetSessionTokens TestSupport"),
        tokens.tests(
            "SignetIdentityTests",
            "SignetIdentity SignetLogin SignetVaultTesting SignetCurl TestSupport",
            exclude: ["Interop/requirements.txt"], copying: "Interop/Scripts"),
        tokens.tests("SignetSignInTests", "SignetSignIn TestSupport", copying: "SignIn/Scripts"),
        tokens.tests("SignetEmailTests", "SignetEmail TestVectors TestSupport"),
        stores.tests(
            "SignetVaultTests",
            "SignetVault SignetVaultTesting CSQLite FaultVFS TestSupport vault-worker",
            copying: "VaultFormat/Fixtures VaultFormat/Python"),
        stores.cSupport("FaultVFS", "CSQLite"),
        stores.worker("vault-worker", in: "VaultWorker", "SignetVault"),
        stores.tests(
            "SignetSecretServiceTests",
            "SignetSecretService SignetVaultTesting TestSupport secret-service-worker"),
        stores.worker(
            "secret-service-worker", in: "SecretServiceWorker",
            "SignetSecretService SignetVaultTesting SessionServer"),
        clients.tests(
            "SignetSessionTests",
            "SignetSessionTesting SignetCurl TestSupport SessionServer session-worker"),
        // A client that is killed, and the server that it shares with others.
        clients.support("SessionServer", "SignetSession TestPrograms"),
        clients.worker("session-worker", in: "SessionWorker", "SessionServer"),
        clients.tests(
            "SignetSupabaseTests",
            "SignetSupabaseAdmin SignetVaultTesting SignetCurl TestSupport",
            copying: "Peers/Scripts"),
        clients.tests(
            "SignetLoginTests", "SignetLogin SignetCurl TestSupport"),
        clients.tests("SignetCurlTests", "SignetCurl TestSupport"),
        servers.tests(
            "SignetAccountsTests",
            "SignetAccounts SignetAccountsTesting AccountServers account-worker"),
        // Servers with sessions on one database, which are killed, and a PostgreSQL for them.
        servers.support("AccountServers", "SignetPostgres SessionServer TestSupport"),
        servers.worker("account-worker", in: "AccountWorker", "AccountServers"),
        servers.tests(
            "SignetPostgresTests",
            "SignetPostgres SignetAccountsTesting AccountServers account-worker",
            copying: "Scripts"),
        servers.tests(
            "SignetGoTrueTests", "SignetGoTrue SignetSupabase SignetCurl AccountServers",
            copying: "Peers/Scripts"),
        servers.tests(
            "SignetSMTPTests", "SignetSMTP SignetAccountsTesting TestSupport",
            copying: "Scripts"),
        servers.tests(
            "SignetHummingbirdTests", "SignetHummingbird TestSupport",
            with: hummingbird([
                ("Hummingbird", "hummingbird"), ("HummingbirdTesting", "hummingbird"),
                ("HummingbirdCore", "hummingbird"), ("HTTPTypes", "swift-http-types"),
                ("NIOCore", "swift-nio"), ("NIOEmbedded", "swift-nio"),
                ("NIOHTTPTypes", "swift-nio-extras"), ("Logging", "swift-log"),
            ]), settings: strictAsHummingbird),
        servers.tests(
            "SignetHummingbirdAccountsTests",
            "SignetHummingbirdAccounts SignetHummingbirdGoTrue SignetSession SignetVaultTesting "
                + "TestSupport",
            with: hummingbird([
                ("Hummingbird", "hummingbird"), ("HummingbirdTesting", "hummingbird"),
                ("HTTPTypes", "swift-http-types"), ("NIOCore", "swift-nio"),
                ("Logging", "swift-log"), ("ServiceLifecycle", "swift-service-lifecycle"),
            ]), settings: strictAsHummingbird),
        tools.tests("SignetAuditTests", "SignetAudit TestSupport"),
        tools.tests("CommandLineTests", "signet TestSupport", copying: "Fixtures Scripts"),
        // What fuzzers run, and the test that feeds it with what they found.
        tools.support(
            "FuzzTargets", "SignetGoTrue SignetSignIn SignetVault TestVectors", copying: "Corpora"),
        tools.tests("FuzzTargetsTests", "FuzzTargets TestSupport", copying: "Scripts"),
    ],
    swiftLanguageModes: [.v6]
)

// Set by Scripts/fuzz.py. libFuzzer brings the main function of this program, so only
// `--sanitize fuzzer` links it.
if Context.environment["SIGNET_FUZZ"] == "1" {
    package.targets.append(tools.worker("Fuzzers", in: "Fuzzers", "FuzzTargets"))
}

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
