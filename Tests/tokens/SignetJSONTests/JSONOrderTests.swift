// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJSON
import TestSupport
import Testing

/// What an encoder writes is whole, in whatever order a type encodes.
@Suite("Encoding in any order")
struct JSONOrderTests {
    /// Random values of every kind, with names and strings that have to be escaped and that are past ASCII.
    static func value(depth: Int, _ random: inout SeededGenerator) -> JSONValue {
        let texts = [
            "", "a", "iss", "exp", "\"", "\\", "\u{1}\n", "\u{e9}",
            "long enough for a word or two of eight",
            "\u{1f600}x",
        ]
        switch Int.random(in: 0..<(depth > 4 ? 6 : 9), using: &random) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &random))
        case 2: return .integer(Int64.random(in: .min ... .max, using: &random))
        case 3: return .integer(Int64.random(in: -12...12, using: &random))
        case 4: return .number(Double.random(in: -1e9...1e9, using: &random))
        case 5: return .string(texts.randomElement(using: &random) ?? "")
        case 6:
            return .array(
                (0..<Int.random(in: 0..<5, using: &random)).map { _ in
                    value(depth: depth + 1, &random)
                })
        default:
            var members = [String: JSONValue]()
            for place in 0..<Int.random(in: 0..<7, using: &random) {
                members["\(place)" + (texts.randomElement(using: &random) ?? "")] = value(
                    depth: depth + 1, &random)
            }
            return .object(members)
        }
    }

    @Test("4,000 random values are read as they were written")
    func readsBack() throws {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<4_000 {
            let value = Self.value(depth: 0, &random)
            let written = try JSONTokenEncoder(allowsFragments: true).encodeDocument(value)
            #expect(try JSONValue(written.root) == value)
        }
    }

    struct Interleaved: Encodable {
        func encode(to encoder: any Encoder) throws {
            var outer = encoder.container(keyedBy: Name.self)
            var first = outer.nestedContainer(keyedBy: Name.self, forKey: Name("a"))
            var second = outer.nestedUnkeyedContainer(forKey: Name("b"))
            try first.encode(1, forKey: Name("x"))
            try second.encode("y")
            try first.encode(2, forKey: Name("z"))
            try outer.encode(true, forKey: Name("c"))
            try second.encodeNil()
        }
    }

    struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }

    @Test("Interleaved containers are written whole")
    func interleaved() throws {
        let written = try JSONTokenEncoder().encodeDocument(Interleaved())
        #expect(
            String(decoding: written.bytes, as: UTF8.self)
                == "{\"a\":{\"x\":1,\"z\":2},\"b\":[\"y\",null],\"c\":true}")
    }

    @Test(
        "Objects of up to 80 members are written, read and found in either order",
        arguments: 0...80)
    func sizes(count: Int) throws {
        let members = (0..<count).map { ("member\($0)", $0) }
        let written = try JSONTokenEncoder().encodeDocument(
            Dictionary(uniqueKeysWithValues: members))
        let read = try JSONDocument(written.bytes)
        for (name, value) in members + members.reversed() {
            #expect(read.root.member(name)?.int64Value == Int64(value))
            #expect(written.root.member(name)?.int64Value == Int64(value))
        }
        #expect(read.root.member("member\(count)") == nil)
    }

    @Test("Names that Swift considers equal are refused as duplicates")
    func equivalentNames() throws {
        struct Twice: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Name.self)
                try container.encode(1, forKey: Name("\u{e9}"))
                try container.encode(2, forKey: Name("e\u{301}"))
            }
        }
        #expect(
            jsonError { try JSONTokenEncoder().encodeDocument(Twice()) }?.code == .duplicateMember)
        #expect(jsonError { try JSONTokenEncoder().encode(Twice()) }?.code == .duplicateMember)
    }

    @Test("An array counted while a value is pending writes it in the right place")
    func countBeforeAValue() throws {
        struct Counting: Encodable {
            func encode(to encoder: any Encoder) throws {
                var outer = encoder.container(keyedBy: Name.self)
                var list = outer.nestedUnkeyedContainer(forKey: Name("list"))
                var inner = list.nestedContainer(keyedBy: Name.self)
                let value = inner.superEncoder(forKey: Name("x"))
                let element = list.superEncoder()
                var single = element.singleValueContainer()
                try single.encode(list.count)
                single = value.singleValueContainer()
                try single.encode(list.count)
            }
        }
        struct InnerOnly: Encodable {
            func encode(to encoder: any Encoder) throws {
                var outer = encoder.container(keyedBy: Name.self)
                var list = outer.nestedUnkeyedContainer(forKey: Name("list"))
                var inner = list.nestedContainer(keyedBy: Name.self)
                var single = inner.superEncoder(forKey: Name("x")).singleValueContainer()
                try single.encode(list.count)
            }
        }
        for (value, text) in [
            (Counting() as any Encodable, "{\"list\":[{\"x\":2},2]}"),
            (InnerOnly(), "{\"list\":[{\"x\":1}]}"),
        ] {
            let written = try JSONTokenEncoder().encodeDocument(value)
            #expect(String(decoding: written.bytes, as: UTF8.self) == text)
        }
    }

    @Test("An array can be counted at the usual entry limit", arguments: 20...35)
    func countOfManyMembers(count: Int) throws {
        struct Counting: Encodable {
            let memberCount: Int
            let nests: Bool
            func encode(to encoder: any Encoder) throws {
                var outer = encoder.container(keyedBy: Name.self)
                var list = outer.nestedUnkeyedContainer(forKey: Name("list"))
                if memberCount % 2 == 0 { try list.encode(0) }
                var inner = list.nestedContainer(keyedBy: Name.self)
                for place in 0..<memberCount { try inner.encode(place, forKey: Name("\(place)")) }
                if nests {
                    _ = inner.nestedContainer(keyedBy: Name.self, forKey: Name("last"))
                } else {
                    try? inner.encode(true, forKey: Name("last"))
                }
                try list.encode(list.count)
            }
        }
        for nests in [false, true] {
            let written = try JSONTokenEncoder().encodeDocument(
                Counting(memberCount: count, nests: nests))
            let list = try #require(written.root.member("list"))
            #expect(list.count == 2 + (count % 2 == 0 ? 1 : 0))
            #expect(Array(list.elements).last?.int64Value == Int64(list.count - 1))
        }
    }

    @Test("A loop that adds elements up to a count ends")
    func countAsACondition() throws {
        struct Filling: Encodable {
            func encode(to encoder: any Encoder) throws {
                var list = encoder.unkeyedContainer()
                while list.count < 100 { _ = list.nestedContainer(keyedBy: Name.self) }
            }
        }
        #expect(try JSONTokenEncoder().encodeDocument(Filling()).root.count == 100)
    }

    @Test(
        "A root that encodes nothing is an error; inside another type it is an empty object")
    func nothing() throws {
        struct Nothing: Encodable {
            func encode(to encoder: any Encoder) throws {}
        }
        #expect(
            jsonError { try JSONTokenEncoder().encodeDocument(Nothing()) }?.code == .typeMismatch)
        #expect(jsonError { try JSONTokenEncoder().encode(Nothing()) }?.code == .typeMismatch)
        let written = try JSONTokenEncoder().encodeDocument(["a": Nothing()])
        #expect(String(decoding: written.bytes, as: UTF8.self) == "{\"a\":{}}")
    }

    /// Encodes what is left of a sequence, so that a second look finds nothing.
    final class OnceOnly: Encodable {
        private var rest: Range<Int>.Iterator
        init(count: Int) { rest = (0..<count).makeIterator() }
        func encode(to encoder: any Encoder) throws {
            var list = encoder.unkeyedContainer()
            while let next = rest.next() { try list.encode(next) }
        }
    }

    @Test(
        "A value that is encoded in order is encoded once, at any length",
        arguments: [0, 10, 54, 55, 56, 57, 100, 5_000])
    func onceOnly(count: Int) throws {
        let written = try JSONTokenEncoder().encodeDocument(OnceOnly(count: count))
        #expect(written.root.count == count)
    }
}
