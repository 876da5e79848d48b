// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import OpenSSLBridge
import SignetMemory
import TestSupport
import Testing

@Suite("RSA keys from numbers")
struct RSAKeysTests {
    @Test("The numbers of a key make the same key again")
    func roundTrip() throws {
        let key = try BridgeKeys.rsa()
        let again = try KeyHandle.rsa(key.rsaPrivateNumbers())
        let message = Array("message".utf8)
        for scheme in [SignatureScheme.rsaPKCS1(.sha256), .rsaPSS(.sha512)] {
            #expect(try verify(key, scheme, sign(again, scheme, message), message))
        }
        #expect(try key.encodedPublicKey() == again.encodedPublicKey())
        #expect(exposed(try key.encodedPrivateKey()) == exposed(try again.encodedPrivateKey()))
    }

    private static func path(_ name: String) -> WritableKeyPath<RSAPrivateNumbers, SecretStorage>? {
        switch name {
        case "d": \.privateExponent
        case "p": \.prime1
        case "q": \.prime2
        case "dp": \.exponent1
        case "dq": \.exponent2
        case "qi": \.coefficient
        default: nil
        }
    }

    /// Every private number, changed in its last bits, in its first bit, cut, zero, one, empty, enormous.
    @Test(
        "A private key with any number changed is refused",
        arguments: [
            "d", "p", "q", "dp", "dq", "qi",
        ])
    func inconsistentNumbers(name: String) throws {
        let path = try #require(Self.path(name))
        let numbers = try BridgeKeys.rsa().rsaPrivateNumbers()
        let good = exposed(numbers[keyPath: path])
        var lastBit = good
        lastBit[good.count - 1] ^= 1
        var twoBits = good
        twoBits[good.count - 1] ^= 2
        var firstBit = good
        firstBit[0] ^= 0x80
        var middle = good
        middle[good.count / 2] ^= 0x10
        for bad in [
            lastBit, twoBits, firstBit, middle, Array(good.dropLast()), good + [0], [], [0], [1],
            [2],
            [UInt8](repeating: 0xff, count: good.count), [UInt8](repeating: 1, count: 4096),
            [UInt8](repeating: 1, count: 5000),
        ] {
            var changed = numbers
            changed[keyPath: path] = secret(bad)
            #expect(failure { _ = try KeyHandle.rsa(changed) } != nil, "\(bad.count) bytes")
        }
        var leadingZeros = numbers
        leadingZeros[keyPath: path] = secret([0, 0] + good)
        #expect(failure { _ = try KeyHandle.rsa(leadingZeros) } == nil)
    }

    @Test("Swapped primes, a factor of 1 and negative-looking numbers are refused")
    func swappedNumbers() throws {
        let numbers = try BridgeKeys.rsa().rsaPrivateNumbers()
        var swapped = numbers
        swapped.prime1 = numbers.prime2
        swapped.prime2 = numbers.prime1
        #expect(failure { _ = try KeyHandle.rsa(swapped) } == .refused)
        swapped.exponent1 = numbers.exponent2
        swapped.exponent2 = numbers.exponent1
        #expect(failure { _ = try KeyHandle.rsa(swapped) } == .refused)
        var trivial = numbers
        trivial.prime1 = secret(numbers.modulus)
        trivial.prime2 = secret([1])
        #expect(failure { _ = try KeyHandle.rsa(trivial) } == .refused)
        var otherExponent = numbers
        otherExponent.exponent = [1, 0, 3]
        #expect(failure { _ = try KeyHandle.rsa(otherExponent) } == .refused)
        var otherModulus = numbers
        otherModulus.modulus[100] ^= 1
        #expect(failure { _ = try KeyHandle.rsa(otherModulus) } == .refused)
    }

    @Test("Numbers longer than any key are refused before libcrypto")
    func enormousNumbers() {
        let enormous = [UInt8](repeating: 1, count: 4097)
        #expect(
            failure { _ = try KeyHandle.rsa(modulus: enormous, exponent: [1, 0, 1]) }
                == .invalidLength)
        #expect(
            failure { _ = try KeyHandle.rsa(modulus: [1, 0, 1], exponent: enormous) }
                == .invalidLength)
    }

    @Test(
        "Sizes outside 2048 to 8192 bits are not generated",
        arguments: [
            Int.min, -1, 0, 512, 2047, 8193, 16_384, Int.max,
        ])
    func generationSizes(bitCount: Int) {
        #expect(failure { _ = try KeyHandle.generateRSA(bitCount: bitCount) } == .invalidLength)
    }
}
