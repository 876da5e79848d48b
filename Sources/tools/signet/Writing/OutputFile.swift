// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetPlatform

/// Where a command writes: a file for its owner alone, or standard output (nil or `-`).
struct OutputFile {
    /// The file; nil is standard output.
    let path: String?
    /// Whether an existing file is replaced.
    let overwrite: Bool
    /// The command's option for it.
    private let option: String

    /// The longest name of a file on Linux (`NAME_MAX`).
    private static let maximumNameByteCount = 255

    init(_ path: String?, overwrite: Bool, option: String = "--output") {
        self.path = path == "-" ? nil : path
        self.overwrite = overwrite
        self.option = option
    }

    /// Refuses, before any work is done, what writing would refuse.
    ///
    /// - Parameter inputs: files that the output must not replace; `-` is the file that standard
    ///   input reads. If the sealed file replaced its own key, the file and the key would be lost.
    func check(keeping inputs: [String?] = []) throws {
        guard let path else { return }
        let (folder, name) = PrivateFile.split(path)
        try require(
            !["", ".", ".."].contains { name.utf8.elementsEqual($0.utf8) },
            otherwise: "The output \(path: path) is no name of a file.", advice: "\(option) FILE")
        try require(
            PathText.byteCount(of: name) <= Self.maximumNameByteCount,
            otherwise:
                "A file's name has at most \(Self.maximumNameByteCount) bytes, and the output's more.",
            advice: "Choose a shorter name.")
        for input in inputs.compactMap(\.self)
        where PrivatePlace.isSame(path, input == "-" ? "/dev/stdin" : input) {
            throw CommandFailure.usage(
                "The output would replace a file that holds a key.",
                advice: "Choose another name for \(option).")
        }
        if !overwrite, PrivatePlace.identity(ofFileAt: path) != nil { throw exists }
        do {
            // Begun, and gone again.
            _ = try PrivateFileWriter(path: path, overwrite: overwrite, removesOnSignal: true)
        } catch {
            guard error.number.isMissing, !PrivatePlace.mayBeFile(at: folder) else {
                throw failure(writing: error)
            }
            throw CommandFailure.unavailable(
                "system", "There is no folder \(path: folder) for the output.",
                advice: "Make it first, or choose another name.")
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
        guard let writer = try writer(mode: mode) else { return try Output.bytes(bytes) }
        do {
            try writer.write(bytes.span)
            try writer.finish()
        } catch {
            throw failure(writing: error)
        }
    }

    /// Begins the file, of which a signal leaves no part, and removes what others have left beside
    /// it; nil for standard output.
    func writer(mode: UInt32 = 0o600) throws -> PrivateFileWriter? {
        guard let path else { return nil }
        PrivatePlace.removeLeftovers(besideFileAt: path)
        do {
            return try PrivateFileWriter(
                path: path, mode: mode, overwrite: overwrite, removesOnSignal: true)
        } catch {
            throw failure(writing: error)
        }
    }

    func failure(writing error: SystemFailure) -> CommandFailure {
        error.number.isNameTaken ? exists : CommandFailure(writing: error)
    }

    private var exists: CommandFailure {
        .unavailable(
            "exists", "There is a file at \(typed: path ?? "-") already.",
            advice: "Choose another name, or say with --force that it may be replaced.")
    }
}
