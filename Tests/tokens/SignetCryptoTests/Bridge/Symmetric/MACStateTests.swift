// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import OpenSSLBridge
import TestSupport
import Testing

@Suite("HMAC state in the bridge")
struct MACStateTests {
    private func code(_ key: [UInt8], _ message: [UInt8], _ algorithm: DigestAlgorithm) throws
        -> [UInt8]
    {
        exposed(try MACState(key: key.span, algorithm: algorithm).code(for: message.span))
    }

    @Test(
        "Keys around the block length: a longer one is hashed, a shorter one padded with zeros",
        arguments: [
            (DigestAlgorithm.sha256, 64), (.sha384, 128), (.sha512, 128),
        ])
    func keyLengths(algorithm: DigestAlgorithm, block: Int) throws {
        let message: [UInt8] = [1, 2, 3]
        for count in [0, 1, algorithm.byteCount, block - 1, block, block + 1, 10 * block] {
            let key = [UInt8](repeating: 0x42, count: count)
            let value = try code(key, message, algorithm)
            #expect(value.count == algorithm.byteCount)
            let equivalent = count > block ? try digestBytes(algorithm, key) : key + [0]
            if count != block {
                #expect(try code(equivalent, message, algorithm) == value, "\(count)")
            }
        }
    }

    @Test(
        "The SHA-256 code as a value is the code, and other hashes have none",
        arguments: [0, 1, 64, 1000])
    func values(count: Int) throws {
        var random = SeededGenerator(seed: UInt64(count))
        let key = random.bytes(32)
        let message = random.bytes(count)
        let value = try MACState(key: key.span, algorithm: .sha256).code256(for: message.span)
        let octets = value.indices.flatMap { index in
            stride(from: 56, through: 0, by: -8).map {
                UInt8(truncatingIfNeeded: value[index] >> $0)
            }
        }
        #expect(octets == (try code(key, message, .sha256)))
        for algorithm in [DigestAlgorithm.sha384, .sha512] {
            let state = try MACState(key: key.span, algorithm: algorithm)
            #expect(failure { _ = try state.code256(for: message.span) } == .invalidLength)
        }
    }

    @Test(
        "Restarted, copied and fresh contexts give the same code",
        arguments: DigestAlgorithm.allCases)
    func ways(algorithm: DigestAlgorithm) throws {
        var random = SeededGenerator(seed: 17811)
        for _ in 0..<20 {
            let key = random.bytes(Int.random(in: 0...200, using: &random))
            let quick = try MACState(key: key.span, algorithm: algorithm)
            let slow = try MACState(key: key.span, algorithm: algorithm, mayRestart: false)
            for count in [0, 1, 64, 300, 1, 0] {
                let message = random.bytes(count)
                let expected = try code(key, message, algorithm)
                #expect(try quick.bytes(message) == expected)
                #expect(try slow.bytes(message) == expected)
            }
        }
    }

    @Test("The code matches the plain definition of RFC 2104", arguments: DigestAlgorithm.allCases)
    func definition(algorithm: DigestAlgorithm) throws {
        var random = SeededGenerator(seed: 2104)
        let block = algorithm == .sha256 ? 64 : 128
        for count in [0, 1, 55, 56, 63, 64, 65, 127, 128, 129, 1000] {
            let key = random.bytes(block)
            let message = random.bytes(count)
            let inner = try digestBytes(algorithm, key.map { $0 ^ 0x36 } + message)
            let outer = try digestBytes(algorithm, key.map { $0 ^ 0x5c } + inner)
            #expect(try code(key, message, algorithm) == outer, "\(count)")
        }
    }

    @Test("Spans without a base address stand for no bytes", arguments: DigestAlgorithm.allCases)
    func nullBases(algorithm: DigestAlgorithm) throws {
        let state = try MACState(key: Span(), algorithm: algorithm)
        let value = exposed(try state.code(for: Span()))
        #expect(try code([], [], algorithm) == value)
        let results = [
            try state.isValid(value.span, for: Span()), try state.isValid(Span(), for: Span()),
        ]
        #expect(results == [true, false])
    }

    @Test("A state gives the same code again after other computations")
    func reuse() throws {
        let a = try MACState(key: [UInt8](repeating: 1, count: 32).span, algorithm: .sha256)
        let b = try MACState(key: [UInt8](repeating: 2, count: 32).span, algorithm: .sha512)
        let message: [UInt8] = Array("message".utf8)
        let first = try a.bytes(message)
        for _ in 0..<10 {
            _ = try b.bytes(message)
            _ = try digestBytes(.sha384, message)
            #expect(try !b.isValid(first, message))
            #expect(try a.isValid(first, message))
            #expect(try a.bytes(message) == first)
        }
    }
}
