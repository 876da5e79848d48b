// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetMemory

/// Writes the members of a JWK in order; its buffer may hold secrets and is wiped at the end.
struct JWKWriter {
    private var buffer: [UInt8]

    init() {
        buffer = []
        // An 8192-bit private key takes about 7 KiB: growing would leave unwiped copies.
        buffer.reserveCapacity(16_384)
        buffer.append(UInt8(ascii: "{"))
    }

    mutating func text(_ name: String, value: String) {
        appendName(name)
        appendString(value)
    }

    mutating func texts(_ name: String, values: [String]) {
        appendName(name)
        buffer.append(UInt8(ascii: "["))
        for (index, value) in values.enumerated() {
            if index > 0 { buffer.append(UInt8(ascii: ",")) }
            appendString(value)
        }
        buffer.append(UInt8(ascii: "]"))
    }

    mutating func octets(_ name: String, bytes: Span<UInt8>) {
        appendName(name)
        buffer.append(UInt8(ascii: "\""))
        Base64.url.append(encoding: bytes, to: &buffer)
        buffer.append(UInt8(ascii: "\""))
    }

    /// A public key as an object.
    mutating func publicKey(_ name: String, key: JWK) {
        appendName(name)
        var inner = JWKWriter()
        key.writePublicNumbers(to: &inner)
        buffer.append(contentsOf: inner.finish().utf8)
    }

    mutating func secret(_ name: String, key: SecretKey) {
        key.withExposedBytes { octets(name, bytes: $0) }
    }

    /// Makes room before the first secret is written, beyond the existing text, since a `kid` may
    /// be long. The 1,024 bytes more are for the members' names and quotation marks.
    mutating func reserveForSecrets(byteCount: Int) {
        buffer.reserveCapacity(buffer.count + byteCount / 3 * 4 + 1024)
    }

    /// The text of a key that holds no secret.
    mutating func finish() -> String {
        buffer.append(UInt8(ascii: "}"))
        return String(decoding: buffer, as: UTF8.self)
    }

    /// The text of a key that may hold a secret. Wipes the buffer.
    mutating func finishSecret() -> SecretBytes {
        buffer.append(UInt8(ascii: "}"))
        let secret = SecretBytes(copying: buffer)
        cleanse(&buffer)
        return secret
    }

    private mutating func appendName(_ name: String) {
        if buffer.count > 1 { buffer.append(UInt8(ascii: ",")) }
        appendString(name)
        buffer.append(UInt8(ascii: ":"))
    }

    private mutating func appendString(_ text: String) {
        // Encoding a string as a fragment cannot fail; if it did, an empty string would keep the
        // JSON valid.
        let quoted =
            (try? JSONTokenEncoder(allowsFragments: true).encode(text)) ?? Array("\"\"".utf8)
        buffer.append(contentsOf: quoted)
    }
}
