// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import SignetCrypto
internal import SignetPlatform

/// Where a command writes: a file for its owner alone, or standard output (nil or `-`).
struct OutputFile {
    /// The file; nil is standard output.
    let path: String?
    private let overwrite: Bool

    init(_ path: String?, overwrite: Bool) {
        self.path = path == "-" ? nil : path
        self.overwrite = overwrite
    }

    /// Refuses, before any work is done, what writing would refuse.
    ///
    /// - Parameter inputs: files that the output must not replace. If the sealed file replaced its
    ///   own key, both would be lost.
    func check(keeping inputs: [String?] = []) throws {
        guard let path else { return }
        for input in inputs.compactMap(\.self) where Self.isSame(path, input) {
            throw CommandFailure.usage(
                "The output would replace a file that holds a key.",
                advice: "Choose another name for --output.")
        }
        if !overwrite, (try? FileManager.default.attributesOfItem(atPath: path)) != nil {
            throw exists
        }
    }

    func write(_ secret: borrowing SecretBytes) throws {
        var bytes = [UInt8]()
        bytes.reserveCapacity(secret.count + 1)
        secret.withExposedBytes { span in
            for index in span.indices { bytes.append(span[index]) }
        }
        if bytes.last != 0x0a { bytes.append(0x0a) }
        try write(bytes)
    }

    func write(_ bytes: [UInt8], mode: UInt32 = 0o600) throws {
        guard let path else { return try Output.bytes(bytes) }
        do throws(SystemFailure) {
            try PrivateFile.write(bytes, to: path, mode: mode, overwrite: overwrite)
        } catch {
            throw error.number.isNameTaken ? exists : CommandFailure(writing: error)
        }
    }

    private var exists: CommandFailure {
        .unavailable(
            "exists", "There is a file at \(path ?? "-") already.",
            advice: "Choose another name, or say with --force that it may be replaced.")
    }

    /// Whether both names lead to the same file, which need not exist yet.
    static func isSame(_ one: String, _ other: String) -> Bool {
        if let first = identity(one), let second = identity(other) { return first == second }
        return place(one) == place(other)
    }

    private static func identity(_ path: String) -> [Int]? {
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        guard let found = try? FileManager.default.attributesOfItem(atPath: target),
            let file = found[.systemFileNumber] as? Int, let volume = found[.systemNumber] as? Int
        else { return nil }
        return [volume, file]
    }

    private static func place(_ path: String) -> String {
        let file = URL(fileURLWithPath: path).standardizedFileURL
        return file.deletingLastPathComponent().resolvingSymlinksInPath().path + "/"
            + file.lastPathComponent
    }
}
