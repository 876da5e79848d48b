// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import TestSupport
import Testing

@Suite("Chunks of a stream")
struct ChunkSealingTests {
    private let key = SecretKey(copying: Array(0..<32))
    private let prefix = [UInt8](100..<119)
    private let header: [UInt8] = [1, 2, 3]
    private let full = ChunkSealing.chunkByteCount

    private func chunks(sealing: Bool, counter: UInt32 = 0) throws -> ChunkSealing {
        try ChunkSealing(
            sealing: sealing, key: key, noncePrefix: prefix, authenticating: header,
            counter: counter)
    }

    private func buffer(_ plaintext: [UInt8]) -> [UInt8] {
        plaintext + [UInt8](repeating: 0, count: ChunkSealing.tagByteCount)
    }

    @Test("Each chunk is a message of XAES-256-GCM with its number and whether it is the last")
    func nonces() throws {
        var sealing = try chunks(sealing: true)
        var opening = try chunks(sealing: false)
        let plaintexts = [
            [UInt8](repeating: 1, count: full), [UInt8](repeating: 2, count: full), [3],
        ]
        for (number, plaintext) in plaintexts.enumerated() {
            let isFinal = number == 2
            var chunk = buffer(plaintext)
            let count = try sealing.seal(&chunk, byteCount: plaintext.count, isFinal: isFinal)
            #expect(count == chunk.count)
            let nonce = prefix + [0, 0, 0, UInt8(number), isFinal ? 1 : 0]
            let message = try XAES256GCM.seal(
                plaintext, using: key, nonce: nonce, authenticating: header)
            #expect(nonce + chunk == message, "chunk \(number)")
            let opened = try opening.open(&chunk, byteCount: count, isFinal: isFinal)
            #expect(Array(chunk.prefix(opened)) == plaintext, "chunk \(number)")
        }
    }

    @Test("The counter reaches 2^32 - 1 and never wraps")
    func counter() throws {
        var sealing = try chunks(sealing: true, counter: .max - 1)
        var opening = try chunks(sealing: false, counter: .max - 1)
        for number in 0..<2 {
            var chunk = buffer([UInt8](repeating: 7, count: full))
            let count = try sealing.seal(&chunk, byteCount: full, isFinal: false)
            #expect(try opening.open(&chunk, byteCount: count, isFinal: false) == full)
            #expect(chunk[0] == 7, "chunk \(number)")
        }
        var chunk = buffer([7])
        #expect(code { _ = try sealing.seal(&chunk, byteCount: 1, isFinal: true) } == .tooLarge)
        #expect(
            code { _ = try opening.open(&chunk, byteCount: chunk.count, isFinal: true) }
                == .tooLarge)
    }

    @Test("The last number may be the last chunk's")
    func lastNumber() throws {
        var sealing = try chunks(sealing: true, counter: .max)
        var opening = try chunks(sealing: false, counter: .max)
        var chunk = buffer([7])
        let count = try sealing.seal(&chunk, byteCount: 1, isFinal: true)
        let message = try XAES256GCM.seal(
            [7], using: key, nonce: prefix + [255, 255, 255, 255, 1], authenticating: header)
        #expect(chunk == Array(message.dropFirst(24)))
        #expect(try opening.open(&chunk, byteCount: count, isFinal: true) == 1)
    }

    @Test(
        "No chunk but the last is short, and none is long or empty but the first",
        arguments: [(0, false), (1, false), (65_535, false), (65_537, false), (65_537, true)])
    func lengths(byteCount: Int, isFinal: Bool) throws {
        var sealing = try chunks(sealing: true)
        var opening = try chunks(sealing: false)
        var chunk = [UInt8](repeating: 0, count: 70_000)
        #expect(
            code { _ = try sealing.seal(&chunk, byteCount: byteCount, isFinal: isFinal) }
                == .invalidParameter)
        #expect(
            code { _ = try opening.open(&chunk, byteCount: byteCount + 16, isFinal: isFinal) }
                == .authenticationFailure)
    }

    @Test("An empty chunk is the first or none")
    func empty() throws {
        var sealing = try chunks(sealing: true)
        var chunk = buffer([UInt8](repeating: 0, count: full))
        _ = try sealing.seal(&chunk, byteCount: full, isFinal: false)
        #expect(
            code { _ = try sealing.seal(&chunk, byteCount: 0, isFinal: true) } == .invalidParameter)
        var first = try chunks(sealing: true)
        #expect(try first.seal(&chunk, byteCount: 0, isFinal: true) == 16)
        for count in 0..<16 {
            var opening = try chunks(sealing: false)
            #expect(
                code { _ = try opening.open(&chunk, byteCount: count, isFinal: true) }
                    == .authenticationFailure, "\(count) bytes")
        }
    }

    @Test("After the last chunk, or one that failed, nothing is sealed or opened")
    func afterTheEnd() throws {
        var sealing = try chunks(sealing: true)
        var chunk = buffer([1])
        let count = try sealing.seal(&chunk, byteCount: 1, isFinal: true)
        let whole = chunk
        #expect(
            code { _ = try sealing.seal(&chunk, byteCount: 1, isFinal: true) } == .invalidParameter)
        var opening = try chunks(sealing: false)
        _ = try opening.open(&chunk, byteCount: count, isFinal: true)
        chunk = whole
        #expect(
            code { _ = try opening.open(&chunk, byteCount: count, isFinal: true) }
                == .authenticationFailure)
        var failing = try chunks(sealing: false)
        chunk = whole
        chunk[16] ^= 1
        #expect(
            code { _ = try failing.open(&chunk, byteCount: count, isFinal: true) }
                == .authenticationFailure)
        // What was decrypted is gone.
        #expect(chunk[0] == 0)
        chunk = whole
        #expect(
            code { _ = try failing.open(&chunk, byteCount: count, isFinal: true) }
                == .authenticationFailure)
    }

    @Test("A key and a prefix have one length, and one value seals or opens")
    func parameters() throws {
        #expect(
            code {
                _ = try ChunkSealing(
                    sealing: true, key: SecretKey(copying: [1]), noncePrefix: prefix,
                    authenticating: [])
            } == .invalidKeySize)
        for count in [0, 18, 20] {
            #expect(
                code {
                    _ = try ChunkSealing(
                        sealing: true, key: key, noncePrefix: [UInt8](repeating: 0, count: count),
                        authenticating: [])
                } == .invalidNonceSize, "\(count) bytes")
        }
        var chunk = buffer([1])
        var opening = try chunks(sealing: false)
        #expect(
            code { _ = try opening.seal(&chunk, byteCount: 1, isFinal: true) } == .invalidParameter)
        // A buffer without room for the tag.
        var sealing = try chunks(sealing: true)
        var short: [UInt8] = [1]
        #expect(
            code { _ = try sealing.seal(&short, byteCount: 1, isFinal: true) } == .invalidParameter)
    }
}
