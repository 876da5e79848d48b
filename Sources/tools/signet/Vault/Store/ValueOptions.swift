// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import Foundation
internal import SignetCrypto
internal import SignetPlatform
internal import SignetVault

/// Where a value comes from: never an argument, which every user of the machine can read.
struct ValueOptions: ParsableArguments {
    /// The longest value of a vault, in bytes.
    static let maximumByteCount = 1 << 24

    @Flag(help: "Ask for the value at the terminal, twice.")
    var prompt = false

    @Option(file: "Read the value from this whole file instead of standard input.")
    var valueFile: String?

    @Option(
        help: ArgumentHelp(
            "The value's type, for programs: bytes, string or json. (default: string if typed, else bytes)",
            valueName: "name"))
    var type: String?

    /// The file that is read, as ``Input/checkStandardInput(_:)`` takes it.
    var source: String? { asks ? nil : valueFile ?? "-" }

    /// Whether the user types it. This includes standard input that is a terminal, because nothing
    /// secret is read while the terminal shows what is typed.
    var asks: Bool { prompt || (valueFile == nil && isatty(STDIN_FILENO) == 1) }

    func check() throws {
        try require(
            !prompt || valueFile == nil, otherwise: "Name one source of the value.",
            advice: "--prompt or --value-file")
    }

    /// The value. Standard input is read to its end, as bytes without any conversion.
    func value() throws -> SecretValue {
        let type = ValueType(rawValue: type ?? (asks ? "string" : "bytes"))
        if asks {
            let typed = try Passphrase.askTwice(
                "Value: ",
                advice: "Without a terminal give the value on standard input or in --value-file.")
            return SecretValue(typed, type: type)
        }
        let contents = try PrivateFile.readSecret(
            path: valueFile.flatMap { $0 == "-" ? nil : $0 } ?? "/dev/stdin",
            maximumByteCount: Self.maximumByteCount)
        // A noncopyable value cannot leave the closure, but a key can, and its storage is shared.
        return SecretValue(contents.bytes.withBytes { SecretKey(copying: $0) }, type: type)
    }
}
