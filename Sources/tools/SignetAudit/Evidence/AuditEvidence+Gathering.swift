// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import SignetCrypto

extension AuditEvidence {
    init(
        commit: String?, commandLine: [String], offered: Set<FIPSOmission>, vectors: [Fact],
        started: Date, seconds: Double
    ) {
        let offers = FIPSOmission.allCases.map {
            Fact(
                $0.rawValue, label: "offers \($0.rawValue)",
                value: offered.contains($0) ? "yes" : "no")
        }
        sections = [
            Section(
                key: "signet", title: "Signet",
                facts: [
                    Fact("version", label: "version", value: SignetVersion.current),
                    Fact("commit", label: "commit", value: commit),
                ] + Self.program),
            Section(key: "machine", title: "Machine", facts: Self.machine),
            Section(key: "libcrypto", title: "libcrypto", facts: Self.libcrypto + offers),
            Section(
                key: "run", title: "Run",
                facts: [
                    Fact("started", label: "started", value: started.formatted(.iso8601)),
                    Fact("seconds", label: "seconds", value: Markup.decimal(seconds)),
                    Fact(
                        "commandLine", label: "command line",
                        value: commandLine.isEmpty
                            ? nil : commandLine.map(Self.word).joined(separator: " ")),
                    Fact("environment", label: "environment", value: Self.environment),
                ] + vectors),
        ]
    }

    // Facts that do not change while the process lives are read only once, because it takes hashing
    // a library's file.

    private static let program: [Fact] = {
        let file = LoadedFile("/proc/self/exe")
        return [
            Fact("program", label: "program", value: file?.path),
            Fact("sha256", label: "SHA-256 of the program", value: file?.sha256),
        ]
    }()

    private static let machine: [Fact] = {
        let kernel = ["ostype", "osrelease", "version"].compactMap {
            SystemFile.line("/proc/sys/kernel/\($0)")
        }
        let models = SystemFile.values(in: "/proc/cpuinfo", of: "model name", separator: ":")
        let system = SystemFile.values(in: "/etc/os-release", of: "PRETTY_NAME", separator: "=")
            .first
        let count = ProcessInfo.processInfo.processorCount
        return [
            Fact("host", label: "host", value: SystemFile.line("/proc/sys/kernel/hostname")),
            Fact("system", label: "system", value: system?.replacing("\"", with: "")),
            Fact(
                "kernel", label: "kernel",
                value: kernel.isEmpty ? nil : kernel.joined(separator: " ")),
            Fact("architecture", label: "architecture", value: architecture),
            Fact(
                "processor", label: "processor",
                value: "\(models.first ?? "unknown model"), \(count) online"),
        ]
    }()

    private static let libcrypto: [Fact] = {
        let file = CryptoProvider.file.flatMap(LoadedFile.init)
        return [
            Fact("version", label: "version", value: CryptoProvider.libraryVersion),
            Fact("file", label: "file", value: file?.path),
            Fact("sha256", label: "SHA-256 of the file", value: file?.sha256),
            Fact("package", label: "package", value: file.flatMap(DebianPackage.owner)),
            Fact("provider", label: "algorithms come from", value: CryptoProvider.providerName),
            Fact(
                "providers", label: "loaded providers",
                value: CryptoProvider.providers.joined(separator: ", ")),
            Fact(
                "fips", label: "fetches with fips=yes", value: CryptoProvider.isFIPS ? "yes" : "no"),
            Fact("processor", label: "sees the processor as", value: CryptoProvider.processor),
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
