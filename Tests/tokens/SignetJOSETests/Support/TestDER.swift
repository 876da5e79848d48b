// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE

/// Keys in DER, taken apart and put together again.
enum TestDER {
    /// The contents of the last block of a PEM text.
    static func contents(_ pem: String) -> [UInt8] {
        let lines = pem.split(separator: "\n")
        let start = lines.lastIndex { $0.hasPrefix("-----BEGIN") } ?? 0
        return Base64Standard.decode(Array(lines[(start + 1)...].dropLast().joined().utf8).span)
            ?? []
    }

    static func element(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
        let count = contents.count
        let length: [UInt8] =
            count < 0x80
            ? [UInt8(count)]
            : count < 0x100
                ? [0x81, UInt8(count)] : [0x82, UInt8(count >> 8), UInt8(count & 0xff)]
        return [tag] + length + contents
    }

    /// What an element holds.
    static func body(_ element: [UInt8]) -> [UInt8] {
        Array(element.dropFirst(element[1] < 0x80 ? 2 : 2 + Int(element[1] & 0x0f)))
    }

    static func pem(_ label: String, _ der: [UInt8]) -> String {
        "-----BEGIN \(label)-----\n\(Base64Standard.encode(der))\n-----END \(label)-----\n"
    }

    /// The public key alone, as a BIT STRING has it.
    static func publicOctets(_ pem: String) throws -> [UInt8] {
        let spki = contents(try JWK(pem: pem).publicPEM())
        let count = [44: 32, 91: 65, 120: 97, 158: 133][spki.count]
        return spki.suffix(count ?? 0)
    }

    /// PKCS#8 with another version, and with what stands after the private key.
    static func pkcs8(_ pem: String, version: [UInt8], _ rest: [UInt8] = []) -> [UInt8] {
        let parts = body(contents(pem)).dropFirst(3)
        return element(0x30, element(2, version) + parts + rest)
    }

    /// OneAsymmetricKey (RFC 5958): version 1 and the public key.
    static func withPublicKey(_ pem: String) throws -> [UInt8] {
        pkcs8(pem, version: [1], element(0x81, [0] + (try publicOctets(pem))))
    }
}
