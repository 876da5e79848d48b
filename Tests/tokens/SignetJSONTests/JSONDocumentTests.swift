// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJSON
import TestSupport
import Testing

@Suite("JSON documents")
struct JSONDocumentTests {
    @Test(
        "Malformed JSON is refused",
        arguments: [
            "", " ", "{", "[", "}", "]", "{]", "[}", "[1,]", "[,1]", "[1 2]", "{\"a\"}", "{\"a\":}",
            "{\"a\":1,}",
            "{,}",
            "{a:1}", "{'a':1}", "{\"a\":1 \"b\":2}", "{1:2}", "[1]x", "1 2", "nul", "nulL", "tru",
            "truex",
            "True", "NaN",
            "Infinity", "-", "+1", "01", "-01", "1.", ".5", "1.e1", "1e", "1e+", "0x1", "1_0",
            "- 1",
            "\"", "\"a",
            "\"\\\"",
            "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\\U0041\"", "\"\\ud800\"", "\"\\udc00\"",
            "\"\\ud800\\ud800\"",
            "\"\\ud800\\n\"", "\"\\ud800x\"", "\"\\udc00\\ud800\"", "\"\n\"", "\"\t\"", "\"\0\"",
            "\"\u{1f}\"",
            "\u{feff}1",
            "[1]\0", "/**/1", "[1]//", "\u{a0}1", "\u{0c}1", "\"abcdefgh\u{1}abcdefgh\"",
            "\"abcdefghijk",
            "\"abcdefg\\", "\"\\ud83d\\", "\"\\ud83d\\u", "\"\\ud83d\\ude", "{\"a\":1}}", "[[]",
        ])
    func malformed(text: String) {
        #expect(jsonError { try document(text) }?.code == .malformed)
    }

    @Test("Limits below zero allow nothing", arguments: [-1, Int.min])
    func negativeLimits(limit: Int) {
        for text in ["1", "[]", #"{"a":{"b":[1]}}"#] {
            let text = Array(text.utf8)
            #expect(
                jsonError { try JSONDocument(text, maximumByteCount: limit) }?.code == .tooLarge)
            #expect(
                jsonError { try JSONDocument(text, maximumNodeCount: limit) }?.code == .tooLarge)
            let isNested = text.count > 1
            let error = jsonError { try JSONDocument(text, maximumDepth: limit) }
            #expect(error?.code == (isNested ? .tooDeep : nil))
        }
    }

    /// RFC 3629, section 4: overlong forms, surrogates, past U+10FFFF, cut sequences, stray continuations.
    @Test(
        "JSON that is not UTF-8 is refused",
        arguments: [
            [0x80], [0xbf], [0xc0, 0x80], [0xc1, 0xbf], [0xc2], [0xc2, 0x20], [0xe0, 0x9f, 0xbf],
            [0xe0, 0xa0],
            [0xe1, 0x80], [0xe1, 0x80, 0x20], [0xed, 0xa0, 0x80], [0xed, 0xbf, 0xbf],
            [0xf0, 0x8f, 0xbf, 0xbf],
            [0xf0, 0x90, 0x80], [0xf0, 0x90, 0x80, 0x20], [0xf4, 0x90, 0x80, 0x80],
            [0xf5, 0x80, 0x80, 0x80],
            [0xfe], [0xff],
            [0xc3, 0xa9, 0xa9], [0xe2, 0x82],
        ] as [[UInt8]])
    func notUTF8(bytes: [UInt8]) {
        for padding in ["", "abcdefg", "abcdefgh"] {
            let text = Array("{\"\(padding)".utf8) + bytes + Array("\":\"\"}".utf8)
            #expect(jsonError { try JSONDocument(text) }?.code == .invalidUTF8)
            let cut = Array("\"\(padding)".utf8) + bytes
            #expect(jsonError { try JSONDocument(cut) } != nil)
        }
    }

    @Test(
        "Strings are read with their escapes",
        arguments: [
            ("\"\"", ""), ("\"a\"", "a"),
            ("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\u{8}\u{c}\n\r\t"),
            ("\"\\u0000\"", "\0"), ("\"\\u00e9\\u00E9\"", "\u{e9}\u{e9}"),
            ("\"\\ud83d\\ude00\"", "\u{1f600}"),
            ("\"\\uD834\\uDD1E.\"", "\u{1d11e}."),
            (
                "\"\u{7f}\u{80}\u{7ff}\u{800}\u{ffff}\u{10000}\u{10ffff}\"",
                "\u{7f}\u{80}\u{7ff}\u{800}\u{ffff}\u{10000}\u{10ffff}"
            ),
            ("\"\u{d7ff}\u{e000}\"", "\u{d7ff}\u{e000}"),
            ("\"0123456701234567\\n\"", "0123456701234567\n"),
            (" \t\r\n\"a\" \t\r\n", "a"), ("\"\\ufeff\"", "\u{feff}"), ("\"\\uffff\"", "\u{ffff}"),
        ])
    func strings(text: String, value: String) throws {
        let node = try document(text)
        #expect(node.kind == .string)
        // Compared as bytes, because Swift's strings also equal their canonical equivalents.
        #expect(node.stringValue.map { Array($0.utf8) } == Array(value.utf8))
        #expect(node.text?.isEqual(to: value) == true)
        #expect(node.text?.isEqual(to: value + "x") == false)
        #expect(node.int64Value == nil && node.doubleValue == nil && node.boolValue == nil)
    }

    @Test(
        "Duplicate member names are refused, escaped or not",
        arguments: [
            "{\"a\":1,\"a\":1}", "{\"a\":1,\"\\u0061\":2}", "{\"\\u0061\":1,\"a\":2}",
            "{\"\":1,\"\":2}",
            "[{\"x\":{\"b\":[],\"c\":{},\"b\":0}}]", "{\"a\":{\"b\":{}},\"c\":[[]],\"a\":{}}",
            "{\"/\":1,\"\\/\":2}",
            "{\"\u{e9}\":1,\"\\u00e9\":2}", "{\"\u{e9}\":1,\"e\u{301}\":2}",
            "{\"K\":1,\"\u{212a}\":2}",
            "{\"\\ud83d\\ude00\":1,\"\u{1f600}\":2}", "{\"a\\n\":1,\"a\\u000A\":2}",
        ])
    func duplicates(text: String) {
        #expect(jsonError { try document(text) }?.code == .duplicateMember)
    }

    @Test(
        "Names that differ, or are in other objects, are no duplicates",
        arguments: [
            "{\"a\":{\"a\":{\"a\":1}}}", "[{\"a\":1},{\"a\":1}]", "{\"a\":1,\"A\":2}",
            "{\"a\":1,\"a \":2,\"\":3}",
            "{\"abc\":1,\"axc\":2,\"ayc\":3}", "{\"a\":\"a\",\"b\":\"a\"}",
            "{\"\\u0000\":1,\"\":2}",
        ])
    func notDuplicates(text: String) throws {
        exercise(try document(text))
    }

    @Test(
        "A duplicate is found at any place of a large object",
        arguments: [2, 31, 32, 33, 34, 200])
    func duplicateAtAnyPlaceOfALargeObject(count: Int) throws {
        // One length, first, middle and last byte: every name has the same fingerprint.
        let names = (0..<count).map { "n\(10 + $0 / 10)-\(10 + $0 % 10)x" }
        func object(_ names: [String]) -> String {
            "{" + names.map { "\"\($0)\":[{}]" }.joined(separator: ",") + "}"
        }
        let root = try document(object(names))
        #expect(root.count == count)
        #expect(root.memberNames == names)
        #expect(root.member(names[count - 1])?.kind == .array)
        for place in [0, count / 2, count - 1] {
            let error = jsonError { try document(object(names + [names[place]])) }
            #expect(error?.code == .duplicateMember)
        }
    }

    @Test("An object of 40,000 similar names is read in linear time")
    func hostileObjectsAreNotQuadratic() throws {
        let names = (0..<40_000).map { "\"n\(100 + $0 / 200)-\(100 + $0 % 200)x\":0" }
        let text = Array("{\(names.joined(separator: ","))}".utf8)
        let limits = JSONDocument.Limits(maximumByteCount: text.count)
        let time = try ThreadClock.measure {
            let root = try JSONDocument(text, limits: limits).root
            #expect(try JSONTokenDecoder().decode([String: Int].self, from: root).count == 40_000)
        }
        // A linear search takes minutes here in a debug build.
        #expect(time < .seconds(20))
    }

    @Test("A document is at most 32 levels deep by default, and never more than 512")
    func depth() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[{\"a\":", count: depth / 2) + "1"
                + String(repeating: "}]", count: depth / 2)
        }
        exercise(try document(nested(32)))
        #expect(jsonError { try document(nested(34)) }?.code == .tooDeep)
        #expect(jsonError { try document("[]", .init(maximumDepth: 0)) }?.code == .tooDeep)
        #expect(jsonError { try document("[]", .init(maximumDepth: -1)) }?.code == .tooDeep)
        _ = try document("1", .init(maximumDepth: 0))
        exercise(try document(nested(512), .init(maximumDepth: .max)))
        #expect(
            jsonError { try document(nested(514), .init(maximumDepth: .max)) }?.code == .tooDeep)
        #expect(
            jsonError { try document(String(repeating: "[", count: 100_000)) }?.code == .tooDeep)
    }

    @Test("Bytes and nodes are limited")
    func limits() throws {
        #expect(jsonError { try document("[1]", .init(maximumByteCount: 2)) }?.code == .tooLarge)
        #expect(jsonError { try document("[1]", .init(maximumByteCount: -1)) }?.code == .tooLarge)
        _ = try document("[1]", .init(maximumByteCount: 3, maximumNodeCount: 2))
        #expect(jsonError { try document("[1,2]", .init(maximumNodeCount: 2)) }?.code == .tooLarge)
        let spaces = String(repeating: " ", count: 262_144)
        #expect(jsonError { try document(spaces + "1") }?.code == .tooLarge)
    }

    @Test("Members, elements and raw bytes are found in a document")
    func navigation() throws {
        let root = try document(
            " {\"a\" : [1, \"two\", [3], {\"x\":null}, true, {}, []], \"b\\u0062\":{\"c\":false}, \"last\":-1.5e2 } "
        )
        #expect(root.kind == .object && root.count == 3)
        #expect(root.memberNames == ["a", "bb", "last"])
        let array = try #require(root.member("a"))
        #expect(array.kind == .array && array.count == 7)
        #expect(
            array.elements.map(\.kind) == [
                .number, .string, .array, .object, .bool, .object, .array,
            ])
        #expect(
            array.elements.map { String(decoding: $0.rawBytes, as: UTF8.self) }
                == ["1", "\"two\"", "[3]", "{\"x\":null}", "true", "{}", "[]"])
        #expect(root.member("bb")?.member("c")?.boolValue == false)
        #expect(root.member("last")?.doubleValue == -150)
        #expect(root.member("b\\u0062") == nil && root.member("x") == nil && root.member("") == nil)
        #expect(array.member("a") == nil && root.member("last")?.member("a") == nil)
        #expect(Array(root.elements).isEmpty && Array(array.members).isEmpty)
        #expect(Array(array.elements)[3].member("x")?.isNull == true)
    }

    @Test("An error names its byte in the document")
    func offsets() {
        #expect(jsonError { try document("[1,x]") }?.offset == 3)
        #expect(jsonError { try document("{\"a\":1,\"a\":2}") }?.offset == 8)
    }

    /// Equal at both ends, in either spelling, short, empty, and beyond ASCII.
    private static let names: [(written: String, read: String)] =
        [
            ("", ""), ("a", "a"), ("aa", "aa"), ("exp", "exp"), (#"e\u0078q"#, "exq"),
            (#"\u0061b"#, "ab"), (#"ab\n"#, "ab\n"), (#"\""#, "\""), ("\u{e9}", "\u{e9}"),
            ("x\u{20ac}", "x\u{20ac}"),
        ] + (0..<22).map { ("n\($0)n", "n\($0)n") }

    @Test("A member is found by name, and its duplicate refused, at every place")
    func everyPairOfNames() throws {
        for count in [1, 2, 5, 10, 11, 31, 32] {
            let names = Self.names.prefix(count)
            let members = names.enumerated().map { "\"\($1.written)\":\($0)" }
            let root = try document("{\(members.joined(separator: ","))}")
            for (index, name) in names.enumerated() {
                #expect(root.member(name.read)?.int64Value == Int64(index), "\(name.read)")
                #expect(root.kind(of: name.read) == .number)
            }
            for absent in ["b", "exq ", "ex", #"e\u0078q"#, "n22n", "nn"] {
                #expect(root.member(absent) == nil, "\(absent)")
            }
            for repeated in 0..<count {
                for place in 0...count {
                    var twice = members
                    twice.insert("\"\(Self.names[repeated].written)\":null", at: place)
                    let text = "{\(twice.joined(separator: ","))}"
                    #expect(jsonError { try document(text) }?.code == .duplicateMember, "\(text)")
                }
            }
        }
    }
}
