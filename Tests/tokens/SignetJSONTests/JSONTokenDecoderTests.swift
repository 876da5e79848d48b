// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJSON
import TestSupport
import Testing

@Suite("JSONTokenDecoder")
struct JSONTokenDecoderTests {
    enum Grade: String, Codable {
        case low
        case high
    }

    enum Level: Int, Codable {
        case one = 1
    }

    struct Inner: Codable, Equatable {
        let n: Int
    }

    struct Everything: Decodable {
        let text: String
        let flag: Bool
        let number: Double
        let half: Float
        let grade: Grade
        let level: Level
        let list: [Inner]
        let table: [String: Inner]
        let maybe: Inner?
        let absent: String?
        let null: Int?
        let nested: [[String?]]
        let value: JSONValue
        let byNumber: [Int: String]
    }

    @Test("Every kind of member decodes")
    func everything() throws {
        let value = try decode(
            Everything.self,
            """
            {"text":"a\\nb","flag":true,"number":1e3,"half":0.5,"grade":"high","level":1,"list":[{"n":1},{"n":2,"x":0}],
            "table":{"\\u0061":{"n":3},"b":{"n":4}},"maybe":{"n":5},"null":null,"nested":[["x",null],[]],
            "value":{"k":[1,2.5,"s",null,true]},"byNumber":{"7":"seven"},"unknown":[{}]}
            """)
        #expect(value.text == "a\nb" && value.flag && value.number == 1_000 && value.half == 0.5)
        #expect(value.grade == .high && value.level == .one)
        #expect(value.list == [Inner(n: 1), Inner(n: 2)])
        #expect(value.table == ["a": Inner(n: 3), "b": Inner(n: 4)])
        #expect(value.maybe == Inner(n: 5) && value.absent == nil && value.null == nil)
        #expect(value.nested == [["x", nil], []])
        #expect(
            value.value
                == .object([
                    "k": .array([.integer(1), .number(2.5), .string("s"), .null, .bool(true)])
                ]))
        #expect(value.byNumber == [7: "seven"])
    }

    struct Optionals: Decodable {
        let s: String?
        let b: Bool?
        let i: Int64?
        let d: Double?
        let f: Float?
        let a: [Int]?
        let o: Inner?
    }

    /// CVE-2026-25537.
    @Test(
        "A value of the wrong type does not count as absent",
        arguments: [
            ("{\"s\":1}", "s"), ("{\"s\":{}}", "s"), ("{\"b\":\"true\"}", "b"), ("{\"b\":1}", "b"),
            ("{\"i\":\"1\"}", "i"),
            ("{\"i\":true}", "i"), ("{\"d\":\"1\"}", "d"), ("{\"f\":[]}", "f"), ("{\"a\":{}}", "a"),
            ("{\"a\":\"1\"}", "a"),
            ("{\"a\":[\"1\"]}", "a[0]"), ("{\"a\":[1,null]}", "a[1]"), ("{\"o\":[]}", "o"),
            ("{\"o\":{\"n\":\"1\"}}", "o.n"),
            ("[]", ""), ("1", ""), ("null", ""), ("\"s\"", ""),
        ])
    func wrongTypeIsNotAbsent(text: String, path: String) {
        let error = jsonError { try decode(Optionals.self, text) }
        #expect(error?.code == .typeMismatch)
        #expect(error?.path == path)
    }

    @Test("null counts as absent")
    func nullCountsAsAbsent() throws {
        let value = try decode(
            Optionals.self,
            "{\"s\":null,\"b\":null,\"i\":null,\"d\":null,\"f\":null,\"a\":null,\"o\":null}")
        #expect(value.s == nil && value.b == nil && value.i == nil && value.d == nil)
        #expect(value.f == nil && value.a == nil && value.o == nil)
        #expect(try decode(Optionals.self, "{}").o == nil)
    }

    @Test("A missing member is an error that names its place")
    func missing() {
        let error = jsonError { try decode([Inner].self, "[{\"n\":1},{\"m\":1}]") }
        #expect(error?.code == .missingMember && error?.path == "[1].n" && error?.offset == nil)
        #expect(jsonError { try decode(Inner.self, "{\"N\":1}") }?.code == .missingMember)
    }

    @Test("Unknown raw values of an enumeration are refused")
    func unknownCases() {
        #expect(jsonError { try decode(Grade.self, "\"middle\"") }?.code == .typeMismatch)
        #expect(jsonError { try decode(Level.self, "2") }?.code == .typeMismatch)
        #expect(jsonError { try decode(Level.self, "\"1\"") }?.code == .typeMismatch)
    }

    struct Refusing: Decodable {
        struct Reason: Error {
            let secret: String
        }

        init(from decoder: any Decoder) throws {
            throw Reason(secret: try decoder.singleValueContainer().decode(String.self))
        }
    }

    struct Corrupted: Decodable {
        enum CodingKeys: CodingKey {
            case at
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let text = try container.decode(String.self, forKey: .at)
            throw DecodingError.dataCorruptedError(
                forKey: .at, in: container, debugDescription: text)
        }
    }

    @Test("A type's own error becomes typeMismatch, without its text")
    func errorsOfATypeAreConvertedWithoutTheirText() throws {
        let thrown = try #require(
            jsonError { try decode([String: [Refusing]].self, "{\"a\":[\"hunter2\"]}") })
        #expect(thrown.code == .typeMismatch && thrown.path == "a[0]")
        #expect(!String(reflecting: thrown).contains("hunter2"))
        let corrupted = try #require(
            jsonError { try decode([Corrupted].self, "[{\"at\":\"hunter2\"}]") })
        #expect(corrupted.code == .typeMismatch && corrupted.path == "[0].at")
        #expect(!String(reflecting: corrupted).contains("hunter2"))
    }

    @Test("The path of an error is safe to log")
    func pathsAreSafeToLog() {
        let name = String(repeating: "x", count: 100)
        let error = jsonError {
            try decode([String: Int].self, "{\"\\u001b[31m\\n\u{e9}\(name)\":\"\"}")
        }
        #expect(error?.path == "?[31m??" + String(repeating: "x", count: 57))
    }

    class Base: Codable {
        let a: Int
        init(a: Int) { self.a = a }
    }

    final class Derived: Base {
        let b: Int
        let list: [Int]

        enum CodingKeys: CodingKey {
            case b
            case list
        }

        init(a: Int, b: Int, list: [Int]) {
            self.b = b
            self.list = list
            super.init(a: a)
        }

        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            b = try container.decode(Int.self, forKey: .b)
            var elements = try container.nestedUnkeyedContainer(forKey: .list)
            var list: [Int] = []
            #expect(elements.count == 3 && elements.codingPath.map(\.stringValue) == ["list"])
            while !elements.isAtEnd {
                if try elements.decodeNil() { continue }
                list.append(try elements.decode(Int.self))
            }
            #expect(elements.currentIndex == 3)
            #expect(throws: DecodingError.self) { try elements.decode(Int.self) }
            self.list = list
            try super.init(from: container.superDecoder())
        }

        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            // By turns: the super object is begun first, filled last.
            let above = container.superEncoder()
            var elements = container.nestedUnkeyedContainer(forKey: .list)
            try elements.encode(list.first)
            try container.encode(b, forKey: .b)
            try elements.encodeNil()
            try super.encode(to: above)
            try elements.encode(list.last)
        }
    }

    @Test("A class and its superclass are encoded and decoded")
    func classesBothWays() throws {
        let text = "{\"super\":{\"a\":1},\"list\":[3,null,4],\"b\":2}"
        #expect(try encode(Derived(a: 1, b: 2, list: [3, 4])) == text)
        let value = try decode(Derived.self, text)
        #expect(value.a == 1 && value.b == 2 && value.list == [3, 4])
        #expect(
            jsonError { try decode(Derived.self, "{\"list\":[3,4,5],\"b\":2}") }?.path == "super")
    }

    @Test("An element that failed to decode can be tried as another type")
    func aFailedElementIsNotPassedOver() throws {
        struct Mixed: Decodable {
            let texts: [String]

            init(from decoder: any Decoder) throws {
                var container = try decoder.unkeyedContainer()
                var texts: [String] = []
                while !container.isAtEnd {
                    if let number = try? container.decode(Int.self) {
                        texts.append("\(number)")
                    } else {
                        texts.append(try container.decode(String.self))
                    }
                }
                self.texts = texts
            }
        }
        #expect(try decode(Mixed.self, "[1,\"a\",2]").texts == ["1", "a", "2"])
    }

    @Test("Members of large objects are found by their exact names")
    func largeObjectsAreFoundByTheirExactNames() throws {
        let members = (0..<100).map { "\"k\($0)\":\($0)" } + ["\"\u{212a}\":7"]
        let text = "{\(members.joined(separator: ","))}"
        #expect(try decode([String: Int].self, text).count == 101)
        struct Kelvin: Decodable {
            enum CodingKeys: String, CodingKey {
                case kelvin = "K"
                case k99
            }

            let kelvin: Int?
            let k99: Int
        }
        let value = try decode(Kelvin.self, text)
        #expect(value.kelvin == nil && value.k99 == 99)
    }

    /// A claim of either form, as many issuers write `aud` or `roles`.
    enum NumberOrText: Decodable, Equatable {
        case number(Int)
        case text(String)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Int.self) {
                self = .number(number)
            } else {
                self = .text(try container.decode(String.self))
            }
        }
    }

    @Test("Elements that fail a first try do not each walk past all siblings")
    func secondTries() throws {
        let text = "[" + Array(repeating: "\"\"", count: 60_000).joined(separator: ",") + "]"
        let start = ThreadClock.now
        let values = try decode([NumberOrText].self, text)
        let time = ThreadClock.now - start
        #expect(values.count == 60_000)
        #expect(time < .seconds(5))
        #expect(jsonError { try decode([NumberOrText].self, "[1,\"a\",[true]]") }?.path == "[2]")
    }

    @Test("An error caught while decoding shows its place and nothing from the document")
    func caughtInside() throws {
        struct Curious: Decodable {
            let shown: String

            init(from decoder: any Decoder) throws {
                do {
                    _ = try decoder.singleValueContainer().decode(Int.self)
                    shown = ""
                } catch {
                    var text = "\(error) \(String(reflecting: error))"
                    dump(error, to: &text)
                    shown = text
                }
            }
        }
        let shown = try decode([Curious].self, "[\"s3cret-claim\"]")[0].shown
        #expect(shown.contains("[0]") && !shown.contains("s3cret") && !shown.contains("115"))
    }
}
