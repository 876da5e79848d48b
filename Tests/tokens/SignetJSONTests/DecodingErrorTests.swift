// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import TestSupport
import Testing

/// What ordinary `init(from:)` methods rely on: containers promise `DecodingError`.
@Suite("Containers throw DecodingError")
struct DecodingErrorTests {
    enum Key: String, CodingKey, CaseIterable { case a, b, list, inner, number }

    /// The decoder itself, to be used as an `init(from:)` would.
    struct Held: Decodable {
        let decoder: any Decoder
        init(from decoder: any Decoder) { self.decoder = decoder }
    }

    func probe<Value>(_ text: String, _ body: (any Decoder) throws -> Value) throws -> Value {
        try body(decode(Held.self, text).decoder)
    }

    /// What a body throws on the decoder of a text.
    func error(_ text: String, _ body: (any Decoder) throws -> Void) throws -> DecodingError {
        try #require(throws: DecodingError.self) { try probe(text, body) }
    }

    @Test("A claim of either type can be tried as one and then as the other")
    func either() throws {
        for text in [#"{"a":true}"#, #"{"a":"true"}"#] {
            let value: Bool = try probe(text) { decoder in
                let values = try decoder.container(keyedBy: Key.self)
                do {
                    return try values.decode(Bool.self, forKey: .a)
                } catch DecodingError.typeMismatch {
                    return try values.decode(String.self, forKey: .a) == "true"
                }
            }
            #expect(value)
        }
    }

    @Test("An absent member is keyNotFound, from every kind of container")
    func keyNotFound() throws {
        let text = #"{"inner":{}}"#
        let bodies: [(any Decoder) throws -> Void] = [
            { _ = try inner($0).decode(String.self, forKey: .a) },
            { _ = try inner($0).decode([Int].self, forKey: .a) },
            { _ = try inner($0).decodeNil(forKey: .a) },
            { _ = try inner($0).nestedContainer(keyedBy: Key.self, forKey: .a) },
            { _ = try inner($0).nestedUnkeyedContainer(forKey: .a) },
            { _ = try inner($0).superDecoder(forKey: .a) },
        ]
        for (number, body) in bodies.enumerated() {
            guard case .keyNotFound(let key, let context) = try error(text, body) else {
                Issue.record("case \(number)")
                continue
            }
            #expect(
                key.stringValue == "a" && context.codingPath.map(\.stringValue) == ["inner"],
                "\(number)")
        }
        guard case .keyNotFound(let key, _) = try error(text, { _ = try inner($0).superDecoder() })
        else {
            Issue.record()
            return
        }
        #expect(key.stringValue == "super")

        func inner(_ decoder: any Decoder) throws -> KeyedDecodingContainer<Key> {
            try decoder.container(keyedBy: Key.self).nestedContainer(
                keyedBy: Key.self, forKey: .inner)
        }
    }

    @Test("null, and an element past the end, are valueNotFound")
    func valueNotFound() throws {
        let bodies: [((any Decoder) throws -> Void, String, [String])] = [
            (
                { _ = try $0.container(keyedBy: Key.self).decode(String.self, forKey: .a) },
                #"{"a":null}"#,
                ["a"]
            ),
            (
                { _ = try $0.container(keyedBy: Key.self).decode([Int].self, forKey: .a) },
                #"{"a":null}"#,
                ["a"]
            ),
            (
                { _ = try $0.container(keyedBy: Key.self).decode(Int8.self, forKey: .a) },
                #"{"a":null}"#,
                ["a"]
            ),
            ({ _ = try $0.singleValueContainer().decode(Bool.self) }, "null", []),
            (
                { decoder in
                    var list = try decoder.unkeyedContainer()
                    _ = try list.decode(Int.self)
                    _ = try list.decode(Int.self)
                }, "[1]", ["1"]
            ),
            (
                { decoder in
                    var list = try decoder.unkeyedContainer()
                    _ = try list.nestedContainer(keyedBy: Key.self)
                }, "[]", ["0"]
            ),
            (
                { decoder in
                    var list = try decoder.unkeyedContainer()
                    _ = try list.superDecoder()
                }, "[]", ["0"]
            ),
        ]
        for (number, (body, text, path)) in bodies.enumerated() {
            guard case .valueNotFound(_, let context) = try error(text, body) else {
                Issue.record("case \(number)")
                continue
            }
            #expect(context.codingPath.map(\.stringValue) == path, "\(number)")
        }
    }

    @Test("A number that does not fit is dataCorrupted")
    func dataCorrupted() throws {
        for (body, number) in [
            ({ _ = try $0.singleValueContainer().decode(Int8.self) }, "300"),
            ({ _ = try $0.singleValueContainer().decode(Int.self) }, "1.5"),
            ({ _ = try $0.singleValueContainer().decode(UInt.self) }, "-1"),
            ({ _ = try $0.singleValueContainer().decode(Float.self) }, "1e300"),
            ({ _ = try $0.singleValueContainer().decode(Double.self) }, "1e400"),
        ] as [((any Decoder) throws -> Void, String)] {
            guard case .dataCorrupted(let context) = try error(number, body) else {
                Issue.record("\(number)")
                continue
            }
            #expect(!context.debugDescription.contains(number))
        }
    }

    @Test("A wrong kind of container is typeMismatch")
    func containers() throws {
        for (body, text) in [
            ({ _ = try $0.container(keyedBy: Key.self) }, "[]"),
            ({ _ = try $0.unkeyedContainer() }, "{}"),
            (
                { _ = try $0.container(keyedBy: Key.self).nestedUnkeyedContainer(forKey: .a) },
                #"{"a":{}}"#
            ),
            (
                { _ = try $0.container(keyedBy: Key.self).decodeIfPresent(Bool.self, forKey: .a) },
                #"{"a":"x"}"#
            ),
            (
                { _ = try $0.container(keyedBy: Key.self).decodeIfPresent([Int].self, forKey: .a) },
                #"{"a":"x"}"#
            ),
        ] as [((any Decoder) throws -> Void, String)] {
            guard case .typeMismatch = try error(text, body) else {
                Issue.record("\(text)")
                continue
            }
        }
    }

    struct OwnError: Error, Equatable { let text: String }

    struct Picky: Decodable {
        init(from decoder: any Decoder) throws {
            throw OwnError(text: try decoder.singleValueContainer().decode(String.self))
        }
    }

    @Test("A type's own error reaches its parent unchanged, and the caller as ours with its place")
    func foreignErrors() throws {
        let caught: Bool = try probe(#"{"a":"hunter2"}"#) { decoder in
            do {
                _ = try decoder.container(keyedBy: Key.self).decode(
                    [String: Picky].self, forKey: .a)
            } catch is DecodingError {
                _ = try? decoder.container(keyedBy: Key.self).decode(Picky.self, forKey: .a)
            }
            do {
                _ = try decoder.container(keyedBy: Key.self).decode(Picky.self, forKey: .a)
                return false
            } catch let error as OwnError {
                return error.text == "hunter2"
            }
        }
        #expect(caught)
        let places = [
            (#"{"a":{"b":"hunter2"}}"#, "a.b"), (#"{"a":{"b":"hunter2","c":"x"},"z":{}}"#, "a.b"),
        ]
        for (text, path) in places {
            let error = jsonError { try decode([String: [String: Picky]].self, text) }
            #expect(error?.code == .typeMismatch && error?.path == path)
            #expect(!String(reflecting: error).contains("hunter2"))
        }
        // The place of a caught failure is not used for a later one.
        struct Two: Decodable {
            init(from decoder: any Decoder) throws {
                let values = try decoder.container(keyedBy: Key.self)
                _ = try? values.decode(Picky.self, forKey: .a)
                _ = try values.decode([Picky].self, forKey: .list)
            }
        }
        #expect(jsonError { try decode(Two.self, #"{"a":"x","list":["y"]}"#) }?.path == "list[0]")
        let key = try TestKeys.hmac(.hs256)
        let token = try TokenSigner(hmacKey: key, clock: .still).sign(
            ["a": ["b": "hunter2"]], lifetime: .seconds(60))
        let verifier = try TokenVerifier(
            hmacKey: key,
            policy: TokenPolicy(issuer: .notChecked, audience: .notChecked, clock: .still))
        struct Claims: Decodable { let a: [String: Picky] }
        let error = refusal { try verifier.verify(token, as: Claims.self) }
        #expect(error == TokenError(.claimInvalid, claim: "a.b", ""))
        #expect(!String(reflecting: error).contains("hunter2"))
    }

    @Test("Error paths are short and printable, and no error holds a value")
    func silent() throws {
        let name = "\u{1b}[31m\n\u{e9}" + String(repeating: "x", count: 100_000)
        for escaped in [false, true] {
            let text =
                "{\"\(escaped ? "\\u001b[31m\\n\\u00e9" : "?[31m?\u{e9}")\(name.dropFirst(7))\":[\"hunter2\"]}"
            let context = try #require(
                try probe(text) { decoder -> DecodingError.Context? in
                    do {
                        _ = try [String: [Int]](from: decoder)
                        return nil
                    } catch DecodingError.typeMismatch(_, let context) {
                        return context
                    }
                })
            #expect(
                context.codingPath.map(\.stringValue) == [
                    "?[31m??" + String(repeating: "x", count: 57), "0",
                ])
            #expect(context.codingPath.last?.intValue == 0)
            var shown = "\(context) \(String(reflecting: context))"
            dump(context, to: &shown)
            #expect(!shown.contains("hunter2"))
        }
    }

    @Test("Encoding containers throw EncodingError, without the value")
    func encodingErrors() throws {
        struct Infinite: Encodable {
            func encode(to encoder: any Encoder) throws {
                var values = encoder.container(keyedBy: Key.self)
                do {
                    try values.encode(Double.infinity, forKey: .a)
                } catch EncodingError.invalidValue(let value, _) {
                    #expect(!(value is Double))
                    throw OwnError(text: "seen")
                }
            }
        }
        let error = jsonError { try JSONTokenEncoder().encode(Infinite()) }
        #expect(error?.code == .numberOutOfRange && error?.path == "a")
    }
}
