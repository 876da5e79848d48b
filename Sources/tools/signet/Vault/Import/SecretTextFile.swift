// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetJOSE
internal import SignetPlatform

/// A text file with secrets.
enum SecretTextFile {
    /// The longest file, in bytes.
    private static let maximumByteCount = 1 << 24

    /// Runs `body` with the bytes of a text in UTF-8, without a byte-order mark, and wipes them
    /// afterwards.
    ///
    /// - Parameter path: `-` is standard input.
    static func withBytes<R>(of path: String, _ body: ([UInt8]) throws -> R) throws -> R {
        var bytes = try text(path)
        defer { SecretBytes.wipe(&bytes) }
        return try body(bytes)
    }

    private static func text(_ path: String) throws -> [UInt8] {
        let contents: PrivateFile.SecretContents
        do {
            contents = try PrivateFile.readSecret(
                path: path == "-" ? "/dev/stdin" : path, maximumByteCount: maximumByteCount)
        } catch {
            throw NamedFile.failure(error, reading: path)
        }
        if contents.isOpenToOthers { Input.warn(about: path) }
        return try contents.bytes.withBytes { bytes in
            let isMarked =
                bytes.count >= mark.count && mark.indices.allSatisfy { bytes[$0] == mark[$0] }
            let text = bytes.extracting(droppingFirst: isMarked ? mark.count : 0)
            guard isText(text) else {
                let shape = InputShape(of: bytes)
                throw CommandFailure.refused(
                    "malformed",
                    shape == .utf16
                        ? "The file is UTF-16 and not UTF-8." : "The file is not text in UTF-8.",
                    advice: "Save it as UTF-8. Nothing was imported.")
            }
            return text.indices.map { text[$0] }
        }
    }

    private static let mark: [UInt8] = [0xef, 0xbb, 0xbf]

    private static func isText(_ bytes: Span<UInt8>) -> Bool {
        guard !bytes.indices.contains(where: { bytes[$0] == 0 }) else { return false }
        do {
            _ = try UTF8Span(validating: bytes)
            return true
        } catch {
            return false
        }
    }
}
