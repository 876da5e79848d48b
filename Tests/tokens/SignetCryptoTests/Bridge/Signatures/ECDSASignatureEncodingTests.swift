// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import OpenSSLBridge
import TestSupport
import Testing

@Suite("r‖s and DER")
struct ECDSASignatureEncodingTests {
    private func der(_ raw: [UInt8], _ curve: NamedCurve) -> [UInt8]? {
        ECDSASignatureEncoding.der(raw: raw.span, curve: curve)
    }

    private func raw(_ der: [UInt8], _ curve: NamedCurve) -> [UInt8]? {
        ECDSASignatureEncoding.raw(der: der.span, curve: curve)
    }

    private func number(_ value: [UInt8], _ curve: NamedCurve) -> [UInt8] {
        [UInt8](repeating: 0, count: curve.coordinateByteCount - value.count) + value
    }

    @Test(
        "Numbers of every length and sign bit are encoded and decoded",
        arguments: NamedCurve.allCases)
    func roundTrips(curve: NamedCurve) throws {
        var random = SeededGenerator(seed: 1)
        let width = curve.coordinateByteCount
        for significant in 1...width {
            for first: UInt8 in [0x01, 0x7f, 0x80, 0xff] {
                var value = number(random.bytes(significant), curve)
                value[width - significant] = first
                if BigEndian.sum(value, curve.order, count: 2 * width).map({ $0[width] }) == nil {
                    continue
                }
                let s = number([1], curve)
                guard let encoded = der(value + s, curve) else {
                    // Only a number at or above the order is refused.
                    #expect(!value.lexicographicallyPrecedes(curve.order))
                    continue
                }
                #expect(value.lexicographicallyPrecedes(curve.order))
                #expect(raw(encoded, curve) == value + s)
                #expect(der(s + value, curve).flatMap { raw($0, curve) } == s + value)
            }
        }
    }

    @Test("r and s are 1 to n - 1", arguments: NamedCurve.allCases)
    func range(curve: NamedCurve) {
        let width = curve.coordinateByteCount
        let zero = number([], curve)
        let one = number([1], curve)
        let order = curve.order
        let below = BigEndian.difference(order, one)
        let ones = [UInt8](repeating: 0xff, count: width)
        let above = BigEndian.sum(order, one, count: width) ?? ones
        for good in [one, below] {
            #expect(der(good + one, curve) != nil)
            #expect(der(one + good, curve) != nil)
        }
        for bad in [zero, order, above, ones] {
            #expect(der(bad + one, curve) == nil)
            #expect(der(one + bad, curve) == nil)
            #expect(der(bad + bad, curve) == nil)
        }
    }

    @Test("Every length but twice the coordinate's is refused", arguments: NamedCurve.allCases)
    func lengths(curve: NamedCurve) {
        for count in 0...200 where count != 2 * curve.coordinateByteCount {
            #expect(der([UInt8](repeating: 1, count: count), curve) == nil, "\(count)")
        }
        #expect(ECDSASignatureEncoding.der(raw: Span(), curve: curve) == nil)
        #expect(ECDSASignatureEncoding.raw(der: Span(), curve: curve) == nil)
    }

    @Test(
        "Only canonical DER is accepted",
        arguments: [
            "", "30", "3000", "3006020101020101ff", "300602010102010100", "3106020101020101",
            "3006030101020101",
            "3006020101030101", "30060201ff020101", "3007020200010201 01", "30810602010102 0101",
            "3080020101020101 0000", "300602000201010101", "3006020101", "300502010102 01",
            "30030201 01",
            "3082000602010102 0101", "30050200020101", "30090201010201010201 01", "3006028101 0201",
            "30ff020101020101", "3081", "308180", "300602ff01020101", "3004020102 7f",
        ])
    func notCanonical(text: String) {
        for curve in NamedCurve.allCases { #expect(raw(bytes(text), curve) == nil, "\(text)") }
    }

    @Test(
        "Truncations at every length and thousands of random changes never crash",
        arguments: NamedCurve.allCases)
    func mutations(curve: NamedCurve) throws {
        let below = BigEndian.difference(curve.order, number([1], curve))
        let encoded = try #require(der(below + below, curve))
        for count in 0..<encoded.count { #expect(raw(Array(encoded.prefix(count)), curve) == nil) }
        #expect(raw(encoded + [0], curve) == nil)
        var random = SeededGenerator(seed: 99)
        for _ in 0..<5000 {
            var changed = encoded
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                changed[Int.random(in: 0..<changed.count, using: &random)] =
                    UInt8.random(in: 0...255, using: &random)
            }
            guard let result = raw(changed, curve) else { continue }
            #expect(result.count == 2 * curve.coordinateByteCount)
            // What is read equals what would be written.
            if let again = der(result, curve) { #expect(again == changed) }
        }
    }
}
