// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetJOSE

/// The file that holds a sealing key: 32 raw bytes, or one line of base64 or base64url that stands for 32 bytes, as
/// `openssl rand -base64 32` prints it.
enum SealingKeyFile {
    static func read(_ path: String) throws -> SecretKey {
        let bytes = try Input.secretBytes(path, maximumByteCount: 4096)
        if bytes.count == 32 { return SecretKey(copying: bytes) }
        var text = bytes
        while let last = text.last, last == 0x0a || last == 0x0d { text.removeLast() }
        let decoded = Base64URL.decode(text.span) ?? Base64Standard.decode(text.span)
        guard let decoded, decoded.count == 32 else {
            throw CommandFailure.refused(
                "invalidKeySize",
                "\(path) does not hold a sealing key: 32 raw bytes, or 32 bytes in base64 on one line.",
                advice: "Make a new one: signet seal --new-key FILE, or openssl rand -base64 32 > FILE")
        }
        return SecretKey(copying: decoded)
    }

    /// Makes a key and writes it, refusing to replace a file.
    static func create(_ path: String) throws -> SecretKey {
        let key = try SecretKey.generate(bitCount: 256)
        var text = [UInt8]()
        key.withExposedBytes { Base64URL.append(encoding: $0, to: &text) }
        try SecretOutput.write(SecretBytes(copying: text), to: path, overwrite: false)
        return key
    }
}
