// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import OpenSSLBridge
import TestSupport
import Testing

@Suite("XAES-256-GCM's key schedule")
struct XAESKeyScheduleTests {
    static let nonce = Array("ABCDEFGHIJKLMNOPQRSTUVWX".utf8)

    private func derivedKey(_ key: [UInt8], _ nonce: [UInt8]) throws -> [UInt8] {
        exposed(try XAESKeySchedule.derivedKey(key: key.span, nonce: nonce.span))
    }

    @Test(
        "Keys are derived as C2SP publishes them, with and without the doubling's reduction",
        arguments: [
            (1, "c8612c9ed53fe43e8e005b828a1631a0bbcb6ab2f46514ec4f439fcfd0fa969b"),
            (3, "e9c621d4cdd9b11b00a6427ad7e559aeedd66b3857646677748f8ca796cb3fd8"),
        ] as [(UInt8, String)])
    func derivedKeys(byte: UInt8, expected: String) throws {
        let key = [UInt8](repeating: byte, count: 32)
        #expect(hex(try derivedKey(key, Self.nonce)) == expected)
    }

    @Test("The first 12 bytes of the nonce alone choose the key")
    func nonceHalves() throws {
        let key = [UInt8](repeating: 1, count: 32)
        let reference = try derivedKey(key, Self.nonce)
        for index in 0..<24 {
            var nonce = Self.nonce
            nonce[index] ^= 1
            #expect((try derivedKey(key, nonce) == reference) == (index >= 12), "\(index)")
        }
    }

    @Test("A key of any length but 32 never reaches libcrypto")
    func keyLengths() {
        for count in 0...64 where count != 32 {
            let key = [UInt8](repeating: 1, count: count)
            #expect(failure { _ = try derivedKey(key, Self.nonce) } == .invalidLength, "\(count)")
        }
        #expect(
            failure { _ = try XAESKeySchedule.derivedKey(key: Span(), nonce: Span()) }
                == .invalidLength)
    }

    @Test("A nonce of any length but 24 is refused")
    func nonceLengths() {
        let key = [UInt8](repeating: 1, count: 32)
        for count in 0...48 where count != 24 {
            let nonce = [UInt8](repeating: 1, count: count)
            #expect(failure { _ = try derivedKey(key, nonce) } == .invalidLength, "\(count)")
        }
    }
}
