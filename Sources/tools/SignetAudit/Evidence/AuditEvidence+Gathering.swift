// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import SignetCrypto

extension AuditEvidence {
    init(commit: String?, commandLine: [String], vectors: [Fact], started: Date, seconds: Double) {
        sections = [
            Section(
                key: "signet", title: "Signet",
                facts: [
                    Fact("version", "version", SignetVersion.current),
                    Fact("commit", "commit", commit),
                ] + Self.program),
            Section(key: "machine", title: "Machine", facts: Self.machine),
            Section(key: "libcrypto", title: "libcrypto", facts: Self.libcrypto),
            Section(
                key: "run", title: "Run",
                facts: [
                    Fact("started", "started", started.formatted(.iso8601)),
                    Fact("seconds", "seconds", Markup.decimal(seconds)),
                    Fact(
                        "commandLine", "command line",
                        commandLine.isEmpty
                            ? nil : commandLine.map(Self.word).joined(separator: " ")),
                    Fact("environment", "environment", Self.environment),
                ] + vectors),
        ]
    }

    // Facts that do not change while the process lives are read only once, because it takes hashing
    // a library's file.

    private static let program: [Fact] = {
        let file = LoadedFile("/proc/self/exe")
        return [
            Fact("program", "program", file?.path),
            Fact("sha256", "SHA-256 of the program", file?.sha256),
        ]
    }()

    private static let machine: [Fact] = {
        let kernel = ["ostype", "osrelease", "version"].compactMap {
            SystemFile.line("/proc/sys/kernel/\($0)")
        }
        let models = SystemFile.values("/proc/cpuinfo", "model name", separator: ":")
        let system = SystemFile.values("/etc/os-release", "PRETTY_NAME", separator: "=").first
        let count = ProcessInfo.processInfo.processorCount
        return [
            Fact("host", "host", SystemFile.line("/proc/sys/kernel/hostname")),
            Fact("system", "system", system?.replacing("\"", with: "")),
            Fact("kernel", "kernel", kernel.isEmpty ? nil : kernel.joined(separator: " ")),
            Fact("architecture", "architecture", architecture),
            Fact("processor", "processor", "\(models.first ?? "unknown model"), \(count) online"),
        ]
    }()

    private static let libcrypto: [Fact] = {
        let file = CryptoProvider.file.flatMap { LoadedFile($0) }
        return [
            Fact("version", "version", CryptoProvider.libraryVersion),
            Fact("file", "file", file?.path), Fact("sha256", "SHA-256 of the file", file?.sha256),
            Fact("package", "package", file.flatMap { DebianPackage.owner(of: $0) }),
            Fact("provider", "algorithms come from", CryptoProvider.providerName),
            Fact("providers", "loaded providers", CryptoProvider.providers.joined(separator: ", ")),
            Fact("fips", "fetches with fips=yes", CryptoProvider.isFIPS ? "yes" : "no"),
            Fact("processor", "sees the processor as", CryptoProvider.processor),
        ]
    }()

    /// The environment variables that decide which library is loaded, how it computes and which
    /// vectors are read.
    private static let variables = [
        "LD_LIBRARY_PATH", "LD_PRELOAD", "OPENSSL_CONF", "OPENSSL_MODULES", "OPENSSL_ia32cap",
        "OPENSSL_armcap", "SIGNET_TEST_VECTORS", "SIGNET_WYCHEPROOF",
    ]

    private static var environment: String {
        let all = ProcessInfo.processInfo.environment
        let set = variables.compactMap { name in all[name].map { "\(name)=\($0)" } }
        return set.isEmpty
            ? "nothing that decides about libcrypto or vectors" : set.joined(separator: " ")
    }

    private static var architecture: String? {
        #if arch(x86_64)
            "x86_64"
        #elseif arch(arm64)
            "aarch64"
        #else
            nil
        #endif
    }

    /// An argument as a shell reads it.
    private static func word(_ argument: String) -> String {
        let isPlain = argument.utf8.allSatisfy { byte in
            byte > 0x7f
                || "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_=/.,:+@%".utf8
                    .contains(
                        byte)
        }
        guard argument.isEmpty || !isPlain else { return argument }
        return "'" + argument.replacing("'", with: "'\\''") + "'"
    }
}
