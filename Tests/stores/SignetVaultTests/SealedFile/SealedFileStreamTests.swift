// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetPlatform
import SignetVault
import TestSupport
import Testing

/// Version 2 of Documentation/SEALED-FILE.md.
@Suite("Sealed files in chunks")
struct SealedFileStreamTests {
    private let streams = SealedFileStreams()

    /// The sizes and digests of the document's table, which Python made.
    @Test(
        "The known answers of the second implementation are sealed and opened",
        arguments: [
            (0, "183feb171cd9676103015d1dd76d7299df2508db777d112daca95c7ba0647399"),
            (1, "a21061b07c665ad08e9fcad8fcdaa43ecc634cb8186bc39f9666126375e35049"),
            (65_536, "6a827fe35cec7e1e11814693687615ea93ecaa8e2ba3ce2046bbc48f68ce8fa6"),
            (65_537, "12e01afd2b02e2acb0c1bc9e54e08d88d906d057f6ff6eb551ea0888bf9ca72a"),
            (131_072, "61558132d4a2ada255a10edaae4b09c3af7647a5e7c3351d4ea567f15259a026"),
        ])
    func knownAnswers(byteCount: Int, digest: String) throws {
        let plaintext = SealedFileStreams.numbered(byteCount)
        let file = try streams.sealed(plaintext, noncePrefix: Array(0xc0..<0xd3))
        #expect(try hex(MessageDigest.digest(file, using: .sha256)) == digest)
        let outcome = streams.opened(file)
        #expect(outcome.error == nil && outcome.written == plaintext)
    }

    @Test(
        "Around the borders of chunks, files have their length and open",
        arguments: [
            0, 1, 2, 65_535, 65_536, 65_537, 131_071, 131_072, 131_073, 196_608, 300_000,
        ])
    func borders(byteCount: Int) throws {
        let plaintext = SealedFileStreams.numbered(byteCount)
        let file = try streams.sealed(plaintext)
        let chunkCount = max(1, (byteCount + 65_535) / 65_536)
        #expect(file.count == 77 + byteCount + 16 * chunkCount)
        let outcome = streams.opened(file)
        #expect(outcome.error == nil && outcome.written == plaintext)
    }

    @Test(
        "Pieces of any length are joined, an octet at a time too",
        arguments: [1, 7, 65_535, 65_537])
    func pieces(pieceByteCount: Int) throws {
        var slow = streams
        slow.pieceByteCount = pieceByteCount
        for byteCount in [0, 1, 65_536, 65_537] {
            let plaintext = SealedFileStreams.numbered(byteCount)
            let prefix = [UInt8](0..<19)
            let file = try slow.sealed(plaintext, noncePrefix: prefix)
            #expect(
                try file == streams.sealed(plaintext, noncePrefix: prefix), "\(byteCount) octets")
            let outcome = slow.opened(file)
            #expect(outcome.error == nil && outcome.written == plaintext, "\(byteCount) octets")
        }
    }

    @Test("Each file has a prefix of its own")
    func prefixes() throws {
        let files = try (0..<20).map { _ in try streams.sealed([1]) }
        #expect(Set(files.map { Array($0[58..<77]) }).count == files.count)
    }

    /// A file of three full chunks and a short one, and what is done to it.
    struct Manipulation: CustomTestStringConvertible {
        let name: String
        /// Gets the header, the four chunks, and those of another file under the same key.
        let apply: @Sendable ([UInt8], [[UInt8]], [[UInt8]]) -> [UInt8]
        /// How many chunks are given out before it is noticed.
        var writtenChunks = 0

        var testDescription: String { name }
    }

    static let manipulations = [
        Manipulation(
            name: "cut after the header", apply: { header, _, _ in header }),
        Manipulation(
            name: "cut within a chunk",
            apply: { header, chunks, _ in header + chunks[0] + chunks[1].dropLast() },
            writtenChunks: 1),
        Manipulation(
            name: "cut between two chunks",
            apply: { header, chunks, _ in header + chunks[0] + chunks[1] }, writtenChunks: 1),
        Manipulation(
            name: "cut by the last chunk",
            apply: { header, chunks, _ in header + chunks[0] + chunks[1] + chunks[2] },
            writtenChunks: 2),
        Manipulation(
            name: "cut by the last octet",
            apply: { header, chunks, _ in header + Array(chunks.joined().dropLast()) },
            writtenChunks: 3),
        Manipulation(
            name: "cut within the last tag",
            apply: { header, chunks, _ in
                header + chunks[0] + chunks[1] + chunks[2] + chunks[3].prefix(15)
            }, writtenChunks: 3),
        Manipulation(
            name: "an octet appended",
            apply: { header, chunks, _ in header + Array(chunks.joined()) + [0] },
            writtenChunks: 3),
        Manipulation(
            name: "an octet appended after a full last chunk",
            apply: { header, chunks, _ in header + chunks[0] + chunks[1] + chunks[2] + [0] },
            writtenChunks: 3),
        Manipulation(
            name: "two chunks exchanged",
            apply: { header, chunks, _ in header + chunks[1] + chunks[0] + chunks[2] + chunks[3] }),
        Manipulation(
            name: "a chunk doubled",
            apply: { header, chunks, _ in
                header + chunks[0] + chunks[0] + Array(chunks[1...].joined())
            }, writtenChunks: 1),
        Manipulation(
            name: "the first chunk dropped",
            apply: { header, chunks, _ in header + Array(chunks[1...].joined()) }),
        Manipulation(
            name: "a chunk in the middle dropped",
            apply: { header, chunks, _ in header + chunks[0] + chunks[2] + chunks[3] },
            writtenChunks: 1),
        Manipulation(
            name: "a chunk of another file under the key",
            apply: { header, chunks, others in
                header + chunks[0] + others[1] + chunks[2] + chunks[3]
            }, writtenChunks: 1),
        Manipulation(
            name: "the header of another file under the key",
            apply: { _, chunks, others in others[4] + Array(chunks.joined()) }),
        Manipulation(
            name: "the last chunk twice",
            apply: { header, chunks, _ in header + Array(chunks.joined()) + chunks[3] },
            writtenChunks: 3),
        Manipulation(
            name: "the last chunk of another file appended",
            apply: { header, chunks, others in header + Array(chunks.joined()) + others[3] },
            writtenChunks: 3),
        Manipulation(
            name: "the last chunk alone", apply: { header, chunks, _ in header + chunks[3] }),
        Manipulation(
            name: "the whole file twice",
            apply: { header, chunks, _ in
                header + Array(chunks.joined()) + header + Array(chunks.joined())
            }, writtenChunks: 3),
        Manipulation(
            name: "an empty last chunk of zeros appended",
            apply: { header, chunks, _ in
                header + chunks[0] + [UInt8](repeating: 0, count: 16)
            }, writtenChunks: 1),
    ]

    @Test(
        "Whatever is done to the chunks, the file is refused, and nothing but whole chunks was given out",
        arguments: manipulations)
    func manipulated(_ manipulation: Manipulation) throws {
        let plaintext = SealedFileStreams.numbered(3 * 65_536 + 100)
        let file = try streams.sealed(plaintext)
        let other = try streams.sealed(plaintext)
        let (header, chunks) = parts(of: file)
        let (otherHeader, otherChunks) = parts(of: other)
        // The parts are whole.
        #expect(streams.opened(header + Array(chunks.joined())).error == nil)
        let changed = manipulation.apply(header, chunks, otherChunks + [otherHeader])
        let outcome = streams.opened(changed)
        #expect(outcome.isNotAuthentic, "\(outcome.error.debugDescription)")
        #expect(outcome.written == Array(plaintext.prefix(manipulation.writtenChunks * 65_536)))
    }

    /// Nothing stands after a full last chunk but the end.
    @Test("A last chunk that is full, and one that is empty, are not taken for another")
    func lengthOfLastChunk() throws {
        let full = try streams.sealed(SealedFileStreams.numbered(65_536))
        #expect(streams.opened(full + [0]).isNotAuthentic)
        #expect(streams.opened(full + [UInt8](repeating: 0, count: 16)).isNotAuthentic)
        let empty = try streams.sealed([])
        #expect(empty.count == 93 && streams.opened(empty).error == nil)
        #expect(streams.opened(empty + [0]).isNotAuthentic)
        // A final chunk of nothing after a full chunk: it is authentic, and no writer makes it.
        let prefix = [UInt8](0..<19)
        let header = Array(try streams.sealed([], noncePrefix: prefix).prefix(77))
        let key = try KeyDerivation.hkdf(
            streams.key, info: "signet sealed file 2: key".utf8, byteCount: 32)
        func chunk(_ plaintext: [UInt8], _ counter: UInt8, _ final: UInt8) throws -> [UInt8] {
            Array(
                try XAES256GCM.seal(
                    plaintext, using: key, nonce: prefix + [0, 0, 0, counter, final],
                    authenticating: header
                ).dropFirst(24))
        }
        let plaintext = SealedFileStreams.numbered(65_536)
        let bad = try header + chunk(plaintext, 0, 0) + chunk([], 1, 1)
        #expect(streams.opened(bad).isNotAuthentic)
        let good = try header + chunk(plaintext, 0, 0) + chunk([9], 1, 1)
        #expect(streams.opened(good).written == plaintext + [9])
        // A short chunk that is not the last.
        let short = try header + chunk([1], 0, 0) + chunk([2], 1, 1)
        #expect(streams.opened(short).isNotAuthentic)
    }

    @Test("Every bit of the header is authenticated, and of a short file every bit")
    func bits() throws {
        let file = try streams.sealed([1, 2, 3])
        for index in file.indices {
            for bit in 0..<8 where index < 8 || bit == index % 8 {
                var changed = file
                changed[index] ^= 1 << UInt8(bit)
                let outcome = streams.opened(changed)
                #expect(outcome.error != nil && outcome.written.isEmpty, "octet \(index)")
                if index > 8 { #expect(outcome.isNotAuthentic, "octet \(index)") }
            }
        }
        for count in file.indices {
            let outcome = streams.opened(Array(file.prefix(count)))
            #expect(count < 77 ? outcome.isNotSealed : outcome.isNotAuthentic, "\(count) octets")
            #expect(outcome.written.isEmpty, "\(count) octets")
        }
    }

    @Test("Another key is refused by the commitment, before a chunk is read")
    func otherKey() throws {
        let file = try streams.sealed([1])
        let outcome = streams.opened(file, key: SecretKey(copying: Array(1..<33)))
        #expect(outcome.isNotAuthentic && outcome.written.isEmpty)
        // Nothing stands after the header, and it is not looked at.
        #expect(
            streams.opened(Array(file.prefix(77)), key: SecretKey(copying: Array(1..<33)))
                .isNotAuthentic)
    }

    @Test("However long a file is, a reader and a writer ask for one chunk at a time")
    func bounded() throws {
        for byteCount in [1, 1_000_000] {
            var input = MemoryInput(SealedFileStreams.numbered(byteCount))
            var largest = 0
            try NewSealedFile(key: streams.key).seal(
                reading: { (buffer, range) throws(SystemFailure) in
                    largest = max(largest, buffer.count)
                    return try input.read(into: &buffer, at: range)
                },
                writing: { (bytes) throws(SystemFailure) in largest = max(largest, bytes.count) })
            #expect(input.largestRequest == 65_537 && largest == 65_552, "\(byteCount)")
        }
    }

    @Test("An error of the input or the output ends it with that error")
    func failures() throws {
        let failure = SystemFailure(operation: "read the test", errno: 5)
        var input = MemoryInput(SealedFileStreams.numbered(100_000))
        input.failure = failure
        var written = 0
        do throws(SealedFileError) {
            try NewSealedFile(key: streams.key).seal(
                reading: { (buffer, range) throws(SystemFailure) in
                    try input.read(into: &buffer, at: range)
                },
                writing: { (bytes) throws(SystemFailure) in written += bytes.count })
            Issue.record("no error")
        } catch {
            guard case .reading(failure) = error else {
                Issue.record("\(error)")
                return
            }
        }
        // The header and the one chunk that was whole.
        #expect(written == 77 + 65_552)
        input = MemoryInput([1])
        do throws(SealedFileError) {
            try NewSealedFile(key: streams.key).seal(
                reading: { (buffer, range) throws(SystemFailure) in
                    try input.read(into: &buffer, at: range)
                }, writing: { (_) throws(SystemFailure) in throw failure })
            Issue.record("no error")
        } catch {
            guard case .writing(failure) = error else {
                Issue.record("\(error)")
                return
            }
        }
    }

    private func parts(of file: [UInt8]) -> (header: [UInt8], chunks: [[UInt8]]) {
        let size = SealedFileStreams.sealedChunkByteCount
        let chunks = stride(from: SealedFileStreams.headerByteCount, to: file.count, by: size).map {
            Array(file[$0..<min($0 + size, file.count)])
        }
        return (Array(file.prefix(SealedFileStreams.headerByteCount)), chunks)
    }
}
