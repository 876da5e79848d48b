// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import OpenSSLBridge
import SignetCrypto
import SignetMemory
import TestSupport
import Testing

@Suite("EC keys")
struct ECKeyTests {
    private func number(_ value: [UInt8], _ curve: EllipticCurve) -> [UInt8] {
        [UInt8](repeating: 0, count: curve.coordinateByteCount - value.count) + value
    }

    @Test(
        "Coordinates of another length, off the curve or at infinity are refused",
        arguments: EllipticCurve.allCases)
    func coordinates(curve: EllipticCurve) throws {
        let good = try ECPrivateKey.generate(curve: curve).publicKey
        #expect(try ECPublicKey(curve: curve, x: good.x, y: good.y) == good)
        var offCurve = good.y
        offCurve[curve.coordinateByteCount - 1] ^= 1
        let zero = number([], curve)
        for (x, y) in [
            ([], []), (good.x, []), ([], good.y), ([0] + good.x, good.y), (good.x, good.y + [0]),
            (Array(good.x.dropFirst()), good.y), (good.x, offCurve), (good.y, good.x), (zero, zero),
            (good.x, [UInt8](repeating: 0xff, count: curve.coordinateByteCount)),
        ] {
            #expect(
                code { _ = try ECPublicKey(curve: curve, x: x, y: y) } == .invalidKey,
                "\(x.count) \(y.count)"
            )
        }
        for other in EllipticCurve.allCases where other != curve {
            #expect(code { _ = try ECPublicKey(curve: other, x: good.x, y: good.y) } == .invalidKey)
            #expect(try ECPrivateKey.generate(curve: other).publicKey != good)
        }
    }

    @Test(
        "Scalars 1 and n - 1 sign; 0, n, n + 1, all ones and other lengths are refused",
        arguments: EllipticCurve.allCases)
    func scalars(curve: EllipticCurve) throws {
        let order = curve.bridged.order
        let one = number([1], curve)
        let ones = [UInt8](repeating: 0xff, count: curve.coordinateByteCount)
        for good in [one, BigEndian.difference(order, one)] {
            let key = try ECPrivateKey(curve: curve, privateScalar: key(good))
            let signature = try key.signature(for: [1], hash: .sha384)
            #expect(try key.publicKey.isValidSignature(signature, for: [1], hash: .sha384))
            #expect(exposed(try key.exportPrivateScalar()) == good)
        }
        for bad in [
            number([], curve), order, BigEndian.sum(order, one, count: order.count) ?? ones, ones,
            [], [1],
            Array(one.dropFirst()), [0] + one, one + [0], [UInt8](repeating: 1, count: 5000),
        ] {
            #expect(
                code { _ = try ECPrivateKey(curve: curve, privateScalar: key(bad)) } == .invalidKey,
                "\(bad.count) bytes")
        }
    }

    /// PrivateKeyInfo (RFC 5208) around ECPrivateKey (RFC 5915) on P-256, written out byte by byte.
    private func file(scalar: [UInt8], point: [UInt8]?) -> [UInt8] {
        func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
            content.count < 128
                ? [tag, UInt8(content.count)] + content
                : [tag, 0x81, UInt8(content.count)] + content
        }
        var body = element(0x02, [1]) + element(0x04, scalar)
        if let point { body += element(0xa1, element(0x03, [0] + point)) }
        let algorithm = element(
            0x30, bytes("06072a8648ce3d0201") + bytes("06082a8648ce3d030107"))
        return element(0x30, element(0x02, [0]) + algorithm + element(0x04, element(0x30, body)))
    }

    private func read(_ der: [UInt8]) throws -> ECPrivateKey {
        try ECPrivateKey(
            handle: KeyHandle.decode(der.span, as: KeyHandle.PrivateStructure.pkcs8), curve: .p256)
    }

    @Test("A file with another key's public point is refused, as its signatures would not verify")
    func mismatchedPoint() throws {
        let a = try ECPrivateKey.generate(curve: .p256)
        let b = try ECPrivateKey.generate(curve: .p256)
        let scalar = exposed(try a.exportPrivateScalar())
        let own = [4] + a.publicKey.x + a.publicKey.y
        #expect(try read(file(scalar: scalar, point: own)).publicKey == a.publicKey)
        #expect(try read(file(scalar: scalar, point: nil)).publicKey == a.publicKey)
        let other = [4] + b.publicKey.x + b.publicKey.y
        #expect(code { _ = try read(file(scalar: scalar, point: other)) } == .invalidKey)
    }

    @Test("A file whose scalar is 0, n, n + 1 or all ones is refused")
    func scalarOutOfRange() throws {
        let order = EllipticCurve.p256.bridged.order
        let above = try #require(BigEndian.sum(order, [1], count: 32))
        let point = try ECPrivateKey(curve: .p256, privateScalar: key(number([1], .p256))).publicKey
        for bad in [number([], .p256), order, above, [UInt8](repeating: 0xff, count: 32)] {
            for stated in [nil, [4] + point.x + point.y] {
                // libcrypto may also refuse to read it.
                let der = file(scalar: bad, point: stated)
                let handle = try? KeyHandle.decode(der.span, as: KeyHandle.PrivateStructure.pkcs8)
                if let handle {
                    #expect(
                        code { _ = try ECPrivateKey(handle: handle, curve: .p256) } == .invalidKey,
                        "\(hex(bad))")
                }
                #expect(ErrorQueue.isEmpty)
            }
        }
    }

    @Test("A key is written and read by the bridge", arguments: EllipticCurve.allCases)
    func files(curve: EllipticCurve) throws {
        let made = try ECPrivateKey.generate(curve: curve)
        let der = try made.handle.encodedPrivateKey()
        let handle = try der.withBytes {
            try KeyHandle.decode($0, as: KeyHandle.PrivateStructure.pkcs8)
        }
        let again = try ECPrivateKey(handle: handle, curve: curve)
        #expect(again.publicKey == made.publicKey)
        #expect(try again.exportPrivateScalar() == made.exportPrivateScalar())
    }
}
