// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import OpenSSLBridge
import TestSupport
import Testing

@Suite("EC keys from numbers")
struct ECKeysTests {
    private func number(_ value: [UInt8], _ curve: NamedCurve) -> [UInt8] {
        [UInt8](repeating: 0, count: curve.coordinateByteCount - value.count) + value
    }

    @Test(
        "Coordinates of any other length are refused before libcrypto",
        arguments: NamedCurve.allCases)
    func coordinateLengths(curve: NamedCurve) throws {
        let (x, y) = try KeyHandle.generateEC(curve: curve).ecCoordinates()
        for bad in [[], Array(x.dropFirst()), [0] + x, x + [0], [UInt8](repeating: 1, count: 5000)]
        {
            #expect(failure { _ = try KeyHandle.ec(curve: curve, x: bad, y: y) } == .invalidLength)
            #expect(failure { _ = try KeyHandle.ec(curve: curve, x: x, y: bad) } == .invalidLength)
        }
        #expect(failure { _ = try KeyHandle.ec(curve: curve, x: x + y, y: []) } == .invalidLength)
    }

    @Test(
        "A point off the curve, of another curve, changed or at infinity is refused",
        arguments: NamedCurve.allCases)
    func pointsOffTheCurve(curve: NamedCurve) throws {
        let (x, y) = try KeyHandle.generateEC(curve: curve).ecCoordinates()
        #expect(failure { _ = try KeyHandle.ec(curve: curve, x: x, y: y) } == nil)
        #expect(failure { _ = try KeyHandle.ec(curve: curve, x: y, y: x) } == .refused)
        let zero = number([], curve)
        #expect(failure { _ = try KeyHandle.ec(curve: curve, x: zero, y: zero) } == .refused)
        for bit in stride(from: 0, to: curve.coordinateByteCount * 8, by: 13) {
            var changed = y
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(
                failure { _ = try KeyHandle.ec(curve: curve, x: x, y: changed) } == .refused,
                "\(bit)")
        }
        for other in NamedCurve.allCases where other != curve {
            let point = try KeyHandle.generateEC(curve: other).ecCoordinates()
            let fitted = [point.x, point.y].map {
                number(Array($0.suffix(curve.coordinateByteCount)), curve)
            }
            #expect(
                failure { _ = try KeyHandle.ec(curve: curve, x: fitted[0], y: fitted[1]) }
                    == .refused)
        }
    }

    @Test(
        "A coordinate at or above the prime is refused, though it names a point on the curve modulo it",
        arguments: NamedCurve.allCases)
    func coordinatesAboveThePrime(curve: NamedCurve) throws {
        let width = curve.coordinateByteCount
        let prime = curve.prime
        #expect(prime.count == width)
        let (x, y) = try KeyHandle.generateEC(curve: curve).ecCoordinates()
        // Only P-521 leaves room for x + p in the width; on the others a small x would be needed.
        if let above = BigEndian.sum(x, prime, count: width) {
            #expect(failure { _ = try KeyHandle.ec(curve: curve, x: above, y: y) } == .refused)
        }
        if let above = BigEndian.sum(y, prime, count: width) {
            #expect(failure { _ = try KeyHandle.ec(curve: curve, x: x, y: above) } == .refused)
        }
        let ones = [UInt8](repeating: 0xff, count: width)
        for bad in [prime, ones] {
            #expect(failure { _ = try KeyHandle.ec(curve: curve, x: bad, y: y) } == .refused)
            #expect(failure { _ = try KeyHandle.ec(curve: curve, x: x, y: bad) } == .refused)
        }
    }

    @Test("The point of P-256 at x = 0 is accepted, and refused when written as x = p")
    func zeroCoordinate() throws {
        // y = sqrt(b) mod p.
        let y = bytes("66485c780e2f83d72433bd5d84a06bb6541c2af31dae871728bf856a174f93f4")
        let zero = [UInt8](repeating: 0, count: 32)
        #expect(failure { _ = try KeyHandle.ec(curve: .p256, x: zero, y: y) } == nil)
        #expect(
            failure { _ = try KeyHandle.ec(curve: .p256, x: NamedCurve.p256.prime, y: y) }
                == .refused)
    }

    @Test(
        "Scalars from 1 to n - 1 are accepted, and 0, n, n + 1 and all ones refused",
        arguments: NamedCurve.allCases)
    func scalars(curve: NamedCurve) throws {
        let one = number([1], curve)
        let last = BigEndian.difference(curve.order, one)
        let first = try KeyHandle.ec(curve: curve, privateScalar: secret(one)).ecCoordinates()
        let opposite = try KeyHandle.ec(curve: curve, privateScalar: secret(last)).ecCoordinates()
        // (n - 1)·G = -G: the same x, and the y that adds up to p.
        #expect(first.x == opposite.x)
        #expect(
            BigEndian.sum(first.y, opposite.y, count: curve.coordinateByteCount + 1)?.suffix(
                curve.coordinateByteCount) == ArraySlice(curve.prime))
        let ones = [UInt8](repeating: 0xff, count: curve.coordinateByteCount)
        let above = BigEndian.sum(curve.order, one, count: curve.coordinateByteCount) ?? ones
        for bad in [number([], curve), curve.order, above, ones] {
            #expect(
                failure { _ = try KeyHandle.ec(curve: curve, privateScalar: secret(bad)) }
                    == .refused,
                "\(hex(bad))")
        }
    }

    @Test(
        "Scalars of any other length are refused before libcrypto", arguments: NamedCurve.allCases)
    func scalarLengths(curve: NamedCurve) {
        for count in [0, 1, curve.coordinateByteCount - 1, curve.coordinateByteCount + 1, 5000] {
            let scalar = [UInt8](repeating: 1, count: count)
            #expect(
                failure { _ = try KeyHandle.ec(curve: curve, privateScalar: secret(scalar)) }
                    == .invalidLength, "\(count)")
        }
    }

    @Test(
        "A scalar with leading zeros comes back in full length", arguments: NamedCurve.allCases
    )
    func leadingZeros(curve: NamedCurve) throws {
        let scalar = number([3, 1, 4, 1, 5], curve)
        let key = try KeyHandle.ec(curve: curve, privateScalar: secret(scalar))
        #expect(exposed(try key.ecPrivateScalar()) == scalar)
        #expect(key.kind == .ec(curve))
        let again = try privateKey(exposed(key.encodedPrivateKey()))
        #expect(exposed(try again.ecPrivateScalar()) == scalar)
    }
}
