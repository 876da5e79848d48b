// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The two forms of an ECDSA signature: r‖s in JOSE, a DER sequence of two integers in openssl's
/// files. Written for these tests only, so that Signet's own conversion is not compared with
/// itself.
enum ECDSADER {
    static func der(_ raw: Data) -> Data {
        let half = raw.count / 2
        let body = integer(raw.prefix(half)) + integer(raw.suffix(half))
        let length = body.count < 128 ? [UInt8(body.count)] : [0x81, UInt8(body.count)]
        return Data([0x30] + length) + body
    }

    static func raw(_ der: Data, coordinateByteCount width: Int) throws -> Data {
        var rest = Array(der)[...]
        let malformed = Command.Failure(description: "openssl made a signature that is no DER")
        func byte() throws -> Int {
            guard let first = rest.popFirst() else { throw malformed }
            return Int(first)
        }
        func length() throws -> Int {
            let first = try byte()
            return first == 0x81 ? try byte() : first
        }
        func integer() throws -> [UInt8] {
            guard try byte() == 0x02 else { throw malformed }
            let count = try length()
            guard count <= rest.count else { throw malformed }
            let digits = rest.prefix(count).drop { $0 == 0 }
            rest = rest.dropFirst(count)
            guard digits.count <= width else { throw malformed }
            return [UInt8](repeating: 0, count: width - digits.count) + digits
        }
        guard try byte() == 0x30, try length() == rest.count else { throw malformed }
        return Data(try integer() + integer())
    }

    private static func integer(_ bytes: Data) -> Data {
        var digits = Array(bytes.drop { $0 == 0 })
        if digits.isEmpty || digits[0] >= 0x80 { digits.insert(0, at: 0) }
        return Data([0x02, UInt8(digits.count)] + digits)
    }
}
