// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetMemory
import SignetVault
import TestSupport
import Testing

@Suite("Vault format: state and buckets")
struct StateAndBucketTests {
    private static func sum(_ first: UInt8) -> Accumulator {
        FormatSample.accumulator([UInt8](first..<(first + 32))) ?? Accumulator()
    }

    private static let state = StateRecord(
        generation: 5, count: 3, items: sum(1), buckets: sum(2),
        activeKeyID: [UInt8](repeating: 7, count: 16),
        headDigest: [UInt8](repeating: 8, count: 32))
    private static let bucket = BucketRecord(generation: 5, count: 2, items: sum(3))

    private func openState(_ record: [UInt8], _ root: RootKeys) throws -> StateRecord {
        try StateRecord(opening: record.span, with: root)
    }

    private func openBucket(_ record: [UInt8], _ number: UInt16, _ root: RootKeys) throws
        -> BucketRecord
    {
        try BucketRecord(opening: record.span, number: number, with: root)
    }

    @Test("A state opens under its own root key only")
    func state() throws {
        let root = try FormatSample.root()
        let record = try Self.state.sealed(with: root)
        #expect(record.count == 168 && record.prefix(8) == [0, 0, 0, 0, 0, 0, 0, 5])
        let claimed = StateRecord.claimedGeneration(record.span)
        #expect(claimed == 5)
        #expect(try openState(record, root) == Self.state)
        for (name, other) in FormatSample.damaged(record) {
            #expect(FormatSample.code { _ = try openState(other, root) } == .corrupt, "\(name)")
        }
        for other in [try FormatSample.root(8), try FormatSample.root(epoch: 2)] {
            #expect(FormatSample.code { _ = try openState(record, other) } == .corrupt)
        }
    }

    @Test("A bucket opens under its own number only")
    func bucket() throws {
        let root = try FormatSample.root()
        let record = try Self.bucket.sealed(number: 0xabc, with: root)
        #expect(record.count == 84 && record.prefix(8) == [0, 0, 0, 0, 0, 0, 0, 5])
        #expect(try openBucket(record, 0xabc, root) == Self.bucket)
        for (name, other) in FormatSample.damaged(record) {
            #expect(
                FormatSample.code { _ = try openBucket(other, 0xabc, root) } == .corrupt, "\(name)")
        }
        for number: UInt16 in [0, 0xabb, 0xbc, 0xbc0a] {
            #expect(
                FormatSample.code { _ = try openBucket(record, number, root) } == .corrupt,
                "\(number)")
        }
    }

    @Test("A generation is at least 1 and fits a column; an empty bucket has no record")
    func ranges() throws {
        let root = try FormatSample.root()
        for generation: UInt64 in [0, 1 << 63, .max] {
            var state = Self.state
            state.generation = generation
            #expect(FormatSample.code { _ = try state.sealed(with: root) } == .invalidParameter)
            var bucket = Self.bucket
            bucket.generation = generation
            #expect(
                FormatSample.code { _ = try bucket.sealed(number: 1, with: root) }
                    == .invalidParameter)
        }
        let empty = [UInt8](repeating: 0, count: 36)
        let generation: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 5]
        let record =
            try generation
            + FormatSample.seal(empty, .bucket, subject: [0, 1], generation: 5, with: root.state)
        #expect(FormatSample.code { _ = try openBucket(record, 1, root) } == .corrupt)
        let beyond = [0x80] + [UInt8](repeating: 0, count: 119)
        let state =
            try generation
            + FormatSample.seal(beyond, .state, subject: [], generation: 5, with: root.state)
        #expect(FormatSample.code { _ = try openState(state, root) } == .corrupt)
    }

    @Test("Names and digests of other lengths are refused", arguments: [0, 15, 17, 32])
    func lengths(count: Int) throws {
        let root = try FormatSample.root()
        var state = Self.state
        state.activeKeyID = [UInt8](repeating: 0, count: count)
        #expect(FormatSample.code { _ = try state.sealed(with: root) } == .invalidParameter)
    }
}
