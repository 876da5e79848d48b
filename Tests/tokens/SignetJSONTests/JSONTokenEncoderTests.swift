// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJSON
import TestSupport
import Testing

@Suite("JSONTokenEncoder")
struct JSONTokenEncoderTests {
    struct Claims: Codable, Equatable {
        struct Address: Codable, Equatable {
            var lines: [String]
            var code: Int?
        }

        var iss: String
        var exp: Int64
        var iat: Double
        var ok: Bool
        var none: String?
        var address: Address
        var empty: [String: Int]
    }

    @Test("The text is compact, in the order of encoding, without nil members")
    func compactAndInOrder() throws {
        let claims = Claims(
            iss: "https://a.example/", exp: 1_300_819_380, iat: 1_700_000_000, ok: false, none: nil,
            address: .init(lines: ["a", ""], code: 7), empty: [:])
        let text = try encode(claims, fragment: false)
        #expect(
            text
                == "{\"iss\":\"https://a.example/\",\"exp\":1300819380,\"iat\":1700000000,\"ok\":false,"
                + "\"address\":{\"lines\":[\"a\",\"\"],\"code\":7},\"empty\":{}}")
        #expect(try decode(Claims.self, text) == claims)
    }

    @Test(
        "Strings are escaped where JSON requires it, and come back",
        arguments: [
            ("", "\"\""), ("a/b", "\"a/b\""), ("\"\\", "\"\\\"\\\\\""),
            ("\u{8}\u{9}\u{a}\u{c}\u{d}", "\"\\b\\t\\n\\f\\r\""),
            ("\0\u{1}\u{1f}\u{7f}", "\"\\u0000\\u0001\\u001f\u{7f}\""),
            ("\u{e9}\u{2028}\u{1f600}", "\"\u{e9}\u{2028}\u{1f600}\""),
            ("a long plain text, past 8 bytes", "\"a long plain text, past 8 bytes\""),
        ])
    func strings(value: String, text: String) throws {
        #expect(try encode(value).utf8.elementsEqual(text.utf8))
        #expect(try decode(String.self, text).utf8.elementsEqual(value.utf8))
    }

    @Test(
        "Each Double has its expected text, and reads back the same",
        arguments: [
            (0, "0"), (-0.0, "-0.0"), (1.5, "1.5"), (-2, "-2"), (1_700_000_000, "1700000000"),
            (0.1, "0.1"),
            (1e15, "1000000000000000"),
            (9_007_199_254_740_991, "9007199254740991"),
            (9_007_199_254_740_992, "9007199254740992.0"),
            (1e16, "1e+16"),
            (1e300, "1e+300"), (1e-7, "1e-07"), (.leastNonzeroMagnitude, "5e-324"),
            (.greatestFiniteMagnitude, "1.7976931348623157e+308"),
        ] as [(Double, String)])
    func doubles(value: Double, text: String) throws {
        #expect(try encode(value) == text)
        #expect(try decode(Double.self, text).bitPattern == value.bitPattern)
    }

    @Test("Random numbers read back the same")
    func randomDoublesReadBackTheSame() throws {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<5_000 {
            let value = Double(bitPattern: random.next())
            guard value.isFinite else { continue }
            #expect(try decode(Double.self, encode(value)).bitPattern == value.bitPattern)
            let float = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
            guard float.isFinite else { continue }
            #expect(try decode(Float.self, encode(float)).bitPattern == float.bitPattern)
        }
    }

    @Test(
        "Numbers that are not finite are refused",
        arguments: [Double.nan, .infinity, -.infinity, .signalingNaN])
    func notFinite(value: Double) {
        let error = jsonError { try encode(["a": [value]]) }
        #expect(error?.code == .numberOutOfRange && error?.path == "a[0]")
        #expect(jsonError { try encode(Float(value)) }?.code == .numberOutOfRange)
        #expect(jsonError { try encode(JSONValue.number(value)) }?.code == .numberOutOfRange)
    }

    @Test("A value outside an object or array is written only if asked for")
    func fragmentsOnlyIfAsked() throws {
        for value in [JSONValue.null, .bool(true), .integer(1), .number(1.5), .string("a")] {
            #expect(jsonError { try encode(value, fragment: false) }?.code == .typeMismatch)
            #expect(try decode(JSONValue.self, encode(value)) == value)
        }
        #expect(try encode([Int](), fragment: false) == "[]")
        #expect(try encode([String: Int](), fragment: false) == "{}")
    }

    /// Encodes the members it is told to, in one object.
    struct Members: Encodable {
        struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        let names: [String]

        func encode(to encoder: any Encoder) throws {
            for name in names {
                // Each asks for the container again, which is the same object.
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(1, forKey: Key(stringValue: name))
            }
        }
    }

    @Test(
        "Duplicate names are refused when written",
        arguments: [
            ["a", "a"], ["", ""], ["a", "b", "a"], ["\n", "\n"], ["\u{e9}", "\u{e9}"],
            ["\u{e9}", "e\u{301}"],
            ["\u{e9}", "a", "a"], (0..<40).map { "n\($0)" } + ["n0"],
        ])
    func duplicates(names: [String]) {
        #expect(jsonError { try encode(Members(names: names)) }?.code == .duplicateMember)
    }

    @Test(
        "Different names are written in order",
        arguments: [
            ["a", "b"], ["", "a"], ["abc", "adc"], ["\n", "\\n"], ["\\", "\""],
            (0..<40).map { "n\($0)" },
        ])
    func notDuplicates(names: [String]) throws {
        #expect(try document(encode(Members(names: names))).memberNames == names)
    }

    struct Misuse: Encodable {
        enum Kind: CaseIterable {
            case nothing
            case objectThenArray
            case arrayThenScalar
            case scalarTwice
            case scalarThenObject
            case ownError
        }

        struct OwnError: Error {}

        let kind: Kind

        func encode(to encoder: any Encoder) throws {
            switch kind {
            case .nothing: break
            case .objectThenArray:
                _ = encoder.container(keyedBy: Members.Key.self)
                var array = encoder.unkeyedContainer()
                try array.encode(1)
                var nested = array.nestedUnkeyedContainer()
                try nested.encode("a")
            case .arrayThenScalar:
                _ = encoder.unkeyedContainer()
                var single = encoder.singleValueContainer()
                try single.encode(1)
            case .scalarTwice:
                var single = encoder.singleValueContainer()
                try single.encode(1)
                try single.encode("2")
            case .scalarThenObject:
                var single = encoder.singleValueContainer()
                try single.encode(1)
                var object = encoder.container(keyedBy: Members.Key.self)
                try object.encode(1, forKey: .init(stringValue: "a"))
            case .ownError: throw OwnError()
            }
        }
    }

    @Test("Misuse of an encoder is an error", arguments: Misuse.Kind.allCases)
    func misuseIsAnError(kind: Misuse.Kind) throws {
        #expect(jsonError { try encode(Misuse(kind: kind)) }?.code == .typeMismatch)
        if kind == .nothing {
            #expect(try encode(["a": Misuse(kind: kind)]) == "{\"a\":{}}")
        } else {
            let error = jsonError { try encode(["a": [Misuse(kind: kind)]]) }
            #expect(error?.code == .typeMismatch && error?.path == "a[0]")
        }
    }

    final class Cycle: Encodable {
        let isSingle: Bool
        init(isSingle: Bool) { self.isSingle = isSingle }

        func encode(to encoder: any Encoder) throws {
            if isSingle {
                var container = encoder.singleValueContainer()
                try container.encode(self)
            } else {
                var container = encoder.unkeyedContainer()
                try container.encode(self)
            }
        }
    }

    @Test("A value that contains itself is too deep", arguments: [true, false])
    func cyclesEnd(isSingle: Bool) {
        #expect(jsonError { try encode(Cycle(isSingle: isSingle)) }?.code == .tooDeep)
        let encoder = JSONTokenEncoder(maximumDepth: .max)
        #expect(jsonError { try encoder.encode(Cycle(isSingle: isSingle)) }?.code == .tooDeep)
    }

    @Test("An encoder writes no deeper than a reader allows")
    func depthIsWhatTheReaderAllows() throws {
        func nested(_ depth: Int) -> JSONValue {
            depth == 0 ? .integer(1) : .array([nested(depth - 1)])
        }
        exercise(try document(encode(nested(32))))
        #expect(jsonError { try encode(nested(33)) }?.code == .tooDeep)
        #expect(try JSONTokenEncoder(maximumDepth: 1).encode([1]) == Array("[1]".utf8))
        #expect(jsonError { try JSONTokenEncoder(maximumDepth: 0).encode([1]) }?.code == .tooDeep)
    }

    @Test("The members of a JSONValue are sorted")
    func valueMembersAreSorted() throws {
        let value = JSONValue.object([
            "b": .null, "a": .array([.object([:])]), "\u{e9}": .bool(true), "B": .integer(-1),
        ])
        #expect(try encode(value) == "{\"B\":-1,\"a\":[{}],\"b\":null,\"\u{e9}\":true}")
    }

    @Test("Nested containers are written at their places")
    func nestedKeyedContainers() throws {
        struct Nested: Encodable {
            func encode(to encoder: any Encoder) throws {
                var outer = encoder.container(keyedBy: Members.Key.self)
                var inner = outer.nestedContainer(
                    keyedBy: Members.Key.self, forKey: .init(stringValue: "i"))
                try outer.encodeNil(forKey: .init(stringValue: "z"))
                try inner.encode(true, forKey: .init(stringValue: "x"))
                var list = inner.nestedUnkeyedContainer(forKey: .init(stringValue: "l"))
                var object = list.nestedContainer(keyedBy: Members.Key.self)
                try object.encode("y", forKey: .init(stringValue: "o"))
                #expect(list.count == 1 && object.codingPath.map(\.stringValue) == ["i", "l", "0"])
                try list.superEncoder().singleValueEncode(2)
            }
        }
        #expect(try encode(Nested()) == "{\"i\":{\"x\":true,\"l\":[{\"o\":\"y\"},2]},\"z\":null}")
    }
}

extension Encoder {
    fileprivate func singleValueEncode(_ value: Int) throws {
        var container = singleValueContainer()
        try container.encode(value)
    }
}
