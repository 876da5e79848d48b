// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetCrypto
internal import SignetMemory
internal import SignetPlatform

/// A key of 32 bytes as it stands in a file: raw, or in base64 with at most one line end.
package enum KeyText {
    /// 44 characters and a line end of two.
    private static let maximumByteCount = 46
    private static let rawByteCount = VaultFormat.keyByteCount

    /// Reads a key from a file, through memory that is wiped.
    ///
    /// - Parameters:
    ///   - name: what the file is called in messages.
    ///   - isKeyFile: whether a person keeps it: one that is not there has a code of its own.
    static func read(path: String, name: String, isKeyFile: Bool) throws(StoreError) -> SecretKey {
        let contents: PrivateFile.SecretContents
        do throws(SystemFailure) {
            contents = try PrivateFile.readSecret(path: path, maximumByteCount: maximumByteCount)
        } catch {
            if isKeyFile, error.number.isMissing { throw .missingKeyFile(path) }
            guard error.number.isTooLarge else { throw .file(error) }
            throw notAKey(name)
        }
        if isKeyFile, contents.isOpenToOthers {
            throw StoreError(
                .insecureFile,
                "Others than the owner may read or write the \(name) \(quoted(path)): chmod 600 \(quoted(path)), and make a new key if they have."
            )
        }
        let key = contents.bytes.withBytes { decoded($0) }
        guard let key else { throw notAKey(name) }
        // What nobody drew at random: an empty disk, a file that was not written to its end.
        guard key.withExposedBytes({ bytes in bytes.indices.contains { bytes[$0] != bytes[0] } })
        else {
            throw StoreError(
                .invalidValue, "The \(name) holds one byte 32 times over, which is no key.")
        }
        return key
    }

    /// The key as text: base64 with its `=` and a line end, as `openssl rand -base64 32` prints one
    /// and `base64 -d` reads it.
    package static func encoded(_ key: SecretKey) throws(StoreError) -> SecretBytes {
        var writer = SecretWriter(count: 45)
        key.withExposedBytes { bytes in
            var group: UInt32 = 0
            for index in 0..<33 {
                group = group << 8 | (index < bytes.count ? UInt32(bytes[index]) : 0)
                guard index % 3 == 2 else { continue }
                for shift: UInt32 in [18, 12, 6, 0] {
                    let isPadding = index == 32 && shift == 0
                    writer.append(
                        isPadding ? UInt8(ascii: "=") : character(UInt8(group >> shift & 63)))
                }
                group = 0
            }
        }
        writer.append(UInt8(ascii: "\n"))
        guard let storage = writer.finish() else {
            throw StoreError(.invalidValue, "A key has 32 bytes.")
        }
        return SecretBytes(storage: storage)
    }

    /// The key; nil when the text is none.
    package static func decoded(_ text: Span<UInt8>) -> SecretKey? {
        if text.count == rawByteCount { return SecretKey(copying: text) }
        var count = text.count
        if count > 0, text[count - 1] == UInt8(ascii: "\n") {
            count -= 1
            if count > 0, text[count - 1] == UInt8(ascii: "\r") { count -= 1 }
        }
        if count == 44, text[43] == UInt8(ascii: "=") { count = 43 }
        guard count == 43 else { return nil }
        var writer = SecretWriter(count: rawByteCount)
        var bits: UInt32 = 0
        var bitCount: UInt32 = 0
        for index in 0..<count {
            guard let value = value(of: text[index]) else { return nil }
            bits = bits << 6 | UInt32(value)
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                writer.append(UInt8(truncatingIfNeeded: bits >> bitCount))
                bits &= (1 << bitCount) - 1
            }
        }
        // Two bits are left over; a writer leaves them zero.
        guard bits == 0, let storage = writer.finish() else { return nil }
        return SecretKey(storage: storage)
    }

    private static func character(_ value: UInt8) -> UInt8 {
        switch value {
        case 0..<26: UInt8(ascii: "A") + value
        case 26..<52: UInt8(ascii: "a") + (value - 26)
        case 52..<62: UInt8(ascii: "0") + (value - 52)
        case 62: UInt8(ascii: "+")
        default: UInt8(ascii: "/")
        }
    }

    private static func value(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }

    private static func notAKey(_ name: String) -> StoreError {
        StoreError(
            .invalidValue,
            "The \(name) does not hold a key: 32 raw bytes, or 32 bytes in base64 on one line."
        )
    }

    private static func quoted(_ path: String) -> String { SystemFailure.quoted(path) }
}
