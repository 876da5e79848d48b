// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import SignetCrypto
internal import SignetJOSE
internal import SignetPlatform

/// Reads the input of commands, always with a limit.
enum Input {
    /// The longest input that is held in memory as a whole, in bytes.
    static let maximumByteCount = 1 << 30
    /// The longest compact JWS, in bytes.
    static let maximumTokenByteCount = 1 << 26
    /// The longest token with claims, in bytes, for signing as well as for verifying.
    static let maximumJWTByteCount = TokenPolicy.tokenByteCountCeiling

    /// A file's content; `-` and nil mean standard input.
    static func bytes(_ path: String?, maximumByteCount: Int = maximumByteCount) throws -> [UInt8] {
        if path ?? "-" == "-", let captured = CapturedStreams.current { return captured.input }
        return try contents(path, maximumByteCount: maximumByteCount).bytes
    }

    /// A file's content and who else can read it.
    static func contents(
        _ path: String?, maximumByteCount: Int
    ) throws(CommandFailure) -> PrivateFile.Contents {
        do {
            return try PrivateFile.read(
                path: path.flatMap { $0 == "-" ? nil : $0 } ?? "/dev/stdin",
                maximumByteCount: maximumByteCount)
        } catch {
            throw NamedFile.failure(error, reading: path)
        }
    }

    /// The content of a regular file that may come from anyone. A pipe of that name would have no
    /// writer to wait for.
    static func regularFile(
        _ path: String, maximumByteCount: Int
    ) throws(CommandFailure) -> [UInt8] {
        do {
            if let contents = try PrivateFile.readRegular(
                path: path, maximumByteCount: maximumByteCount)
            {
                return contents.bytes
            }
        } catch {
            guard error.number.isLink else { throw NamedFile.failure(error, reading: path) }
        }
        throw .unavailable(
            "system",
            "\(typed: path) is no regular file, but a folder, a link, a pipe or a device.",
            advice: "Name the file itself.")
    }

    /// Warns that other users can read or change a file with a secret. Not for a descriptor, which
    /// has no name for `chmod`.
    static func warn(about path: String) {
        guard path != "-", !path.hasPrefix("/dev/"), !path.hasPrefix("/proc/") else { return }
        Output.errorLine(
            "signet: warning: other users can read \(path.onOneLine); fix it with: chmod 600 "
                + quoted(path))
    }

    /// A path, quoted for a shell.
    static func quoted(_ path: String) -> String { PrivatePlaceFailure.word(path) }

    /// A token from the argument or, without an argument, from standard input, without the white
    /// space around it. An argument that cannot be a token may be a file's name.
    ///
    /// - Parameter maximumByteCount: a longer standard input is refused, and not held in memory.
    static func token(_ argument: String?, maximumByteCount: Int = maximumTokenByteCount) throws
        -> [UInt8]
    {
        if let argument, argument != "-" {
            let token = withoutOuterSpace(Array(argument.utf8))
            // A path may have dots too, and begins as no token does.
            let isPath = token.first.map { "./~".utf8.contains($0) } ?? false
            guard isPath || token.count(where: { $0 == UInt8(ascii: ".") }) < 2 else {
                return token
            }
            if !isPath, let shape = InputShape(of: token.span) {
                throw CommandFailure.refused("malformed", shape.sentence(about: "The token"))
            }
            throw CommandFailure.refused(
                "malformed",
                isPath
                    ? "This argument begins as a path does, and not as a token."
                    : "A token has dots between its parts, and this argument has not.",
                advice: "The argument is the token itself. To read a file: < FILE")
        }
        guard let token = try credential(nil, maximumByteCount: maximumByteCount) else {
            throw CommandFailure.refused(
                "malformed", "There is no token.",
                advice: "Give it as an argument or on standard input.")
        }
        return token
    }

    /// A credential in a file, without the white space around it.
    static func tokenFile(_ path: String?) throws -> [UInt8] {
        guard let token = try credential(path, maximumByteCount: maximumJWTByteCount) else {
            throw CommandFailure.refused(
                "malformed", "There is nothing in \(typed: path ?? "standard input").",
                advice: path == nil ? "Give the token: < FILE" : "Look at the file.")
        }
        return token
    }

    /// The content of a file, without the white space around it; nil if nothing is left.
    private static func credential(_ path: String?, maximumByteCount: Int) throws -> [UInt8]? {
        // This leaves some room for line ends; the verifier enforces the exact limit.
        let bytes = withoutOuterSpace(
            try Input.bytes(path, maximumByteCount: maximumByteCount + 1024))
        return bytes.isEmpty ? nil : bytes
    }

    /// The bytes without the spaces, tabs and line ends around them.
    static func withoutOuterSpace(_ bytes: [UInt8]) -> [UInt8] {
        func isSpace(_ byte: UInt8) -> Bool { byte.isBlank || byte == 0x0a || byte == 0x0d }
        let end = bytes.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? 0
        return Array(bytes[..<end].drop(while: isSpace))
    }

    /// Refuses to read two things from standard input, from a descriptor of one name, or from one
    /// pipe: the second would find nothing.
    ///
    /// - Parameter paths: what is read. `-` and the names of descriptor 0 are standard input; nil
    ///   is not.
    static func checkStandardInput(_ paths: [String?]) throws {
        let readers = paths.count { $0.map(standardInput.contains) ?? false }
        try require(
            readers <= 1, otherwise: "Standard input cannot be two things at once.",
            advice: "Name a file for one of them, or a descriptor: /dev/fd/3 3< FILE")
        let names = paths.compactMap { $0 == "-" ? "/dev/stdin" : $0 }
        let pipes = names.compactMap { PrivatePlace.identity(ofPipeBehind: $0) }
        let descriptors = names.filter { name in
            ["/dev/stdin", "/dev/fd/", "/proc/self/fd/"].contains {
                name.utf8.starts(with: $0.utf8)
            }
        }
        try require(
            Set(descriptors.map { Array($0.utf8) }).count == descriptors.count
                && Set(pipes).count == pipes.count,
            otherwise: "A descriptor cannot be two things at once.",
            advice: "Name a file for one of them, or another descriptor.")
    }

    private static let standardInput = ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"]
}
