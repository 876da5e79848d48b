// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import OpenSSLBridge
import SignetMemory
import TestSupport
import Testing

@Suite("Public keys made from numbers", .serialized)
struct PublicKeyTests {
    private struct Case: Sendable {
        let name: String
        let scheme: SignatureScheme
        let signature: [UInt8]
        let make: @Sendable () throws -> KeyHandle
    }

    private static let message: [UInt8] = [1, 2, 3]

    private func cases() throws -> [Case] {
        let rsa = try BridgeKeys.rsa()
        let numbers = try rsa.rsaPublicNumbers()
        let seed = try KeyHandle.ed25519(seed: SecretStorage(randomCount: 32))
        let raw = try seed.ed25519PublicKey()
        var cases = [
            Case(
                name: "PKCS #1", scheme: .rsaPKCS1(.sha256),
                signature: try sign(rsa, .rsaPKCS1(.sha256), Self.message)
            ) { try KeyHandle.rsa(modulus: numbers.modulus, exponent: numbers.exponent) },
            Case(
                name: "PSS", scheme: .rsaPSS(.sha512),
                signature: try sign(rsa, .rsaPSS(.sha512), Self.message)
            ) { try KeyHandle.rsa(modulus: numbers.modulus, exponent: numbers.exponent) },
            Case(
                name: "Ed25519", scheme: .ed25519, signature: try sign(seed, .ed25519, Self.message)
            ) {
                try KeyHandle.ed25519(publicKey: raw)
            },
        ]
        for curve in NamedCurve.allCases {
            let key = try KeyHandle.generateEC(curve: curve)
            let (x, y) = try key.ecCoordinates()
            cases.append(
                Case(
                    name: "\(curve)", scheme: .ecdsa(curve, .sha256),
                    signature: try sign(key, .ecdsa(curve, .sha256), Self.message)
                ) { try KeyHandle.ec(curve: curve, x: x, y: y) })
        }
        return cases
    }

    @Test("Eight threads use a new key at the same moment")
    func firstUse() throws {
        for tried in try cases() {
            for _ in 0..<20 {
                let key = try tried.make()
                let failures = failuresOnThreads(rounds: 3) { thread, _ in
                    let other: [UInt8] = [UInt8(thread)]
                    guard
                        try key.isValid(
                            tried.signature.span, for: Self.message.span, under: tried.scheme)
                    else {
                        return false
                    }
                    if try key.isValid(tried.signature.span, for: other.span, under: tried.scheme) {
                        return false
                    }
                    return ErrorQueue.isEmpty
                }
                #expect(failures == 0, "\(tried.name)")
            }
        }
    }

    @Test("A refused signature before a good one changes nothing")
    func refusedFirst() throws {
        for tried in try cases() {
            let key = try tried.make()
            var changed = tried.signature
            changed[changed.count - 1] ^= 1
            let refused = try key.isValid(changed.span, for: Self.message.span, under: tried.scheme)
            let short = try key.isValid(
                [1, 2, 3].span, for: Self.message.span, under: tried.scheme)
            let accepted = try key.isValid(
                tried.signature.span, for: Self.message.span, under: tried.scheme)
            #expect(!refused && !short && accepted, "\(tried.name)")
            #expect(ErrorQueue.isEmpty)
        }
    }

    @Test("A scheme of another kind of key is refused before libcrypto")
    func otherKinds() throws {
        let all = try cases()
        for tried in all {
            for other in all where other.name != tried.name {
                let isRSA =
                    ["PKCS #1", "PSS"].contains(tried.name)
                    && ["PKCS #1", "PSS"].contains(other.name)
                let kind = failure { try tried.make().requireVerifying(other.scheme) }
                #expect(kind == (isRSA ? nil : .refused), "\(tried.name), \(other.name)")
            }
        }
    }

    @Test(
        "Points are accepted, and everything else is refused",
        arguments: NamedCurve.allCases)
    func points(curve: NamedCurve) throws {
        let width = curve.coordinateByteCount
        var random = SeededGenerator(seed: 5)
        let (x, y) = try KeyHandle.generateEC(curve: curve).ecCoordinates()
        let prime = curve.prime
        let zero = [UInt8](repeating: 0, count: width)
        let ones = [UInt8](repeating: 0xff, count: width)
        let negative = BigEndian.difference(prime, y)
        var good = [(x, y), (x, negative)]
        var points = [
            (y, x), (zero, zero), (zero, y), (x, zero), (prime, y), (x, prime),
            (ones, ones),
            ([], []), (x, []), ([0] + x, y), (Array(x.dropLast()), y), (x + y, [0]),
            ([0x04] + x, y),
        ]
        if let above = BigEndian.sum(x, prime, count: width) { points.append((above, y)) }
        if let above = BigEndian.sum(y, prime, count: width) { points.append((x, above)) }
        for bit in stride(from: 0, to: width * 8, by: 29) {
            var changed = x
            changed[bit / 8] ^= 1 << (bit % 8)
            points.append((changed, y))
        }
        for _ in 0..<100 {
            let key = try KeyHandle.generateEC(curve: curve).ecCoordinates()
            good.append((key.x, key.y))
            points.append((random.bytes(width), random.bytes(width)))
        }
        for (x, y) in good {
            #expect(
                failure { _ = try KeyHandle.ec(curve: curve, x: x, y: y) } == nil,
                "\(hex(x)), \(hex(y))")
        }
        for (x, y) in points {
            let expected: OpenSSLFailure.Kind =
                x.count == width && y.count == width ? .refused : .invalidLength
            #expect(
                failure { _ = try KeyHandle.ec(curve: curve, x: x, y: y) } == expected,
                "\(hex(x)), \(hex(y))")
        }
    }
}
