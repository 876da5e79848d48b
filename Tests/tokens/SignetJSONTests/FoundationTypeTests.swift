// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJOSE
import TestSupport
import Testing

/// `Date` was read 31 years late and written 31 years early, without an error.
@Suite("Foundation types in claims are refused with the remedy")
struct FoundationTypeTests {
    enum Kind: String, CaseIterable, CustomTestStringConvertible {
        case date, url, data, decimal

        var testDescription: String { rawValue }

        /// What the type would read without an error.
        var text: String {
            switch self {
            case .date: "1700000000"
            case .url: #"{"relative":"https://hunter2.example"}"#
            case .data: "[1,2,3]"
            case .decimal:
                #"{"exponent":0,"length":1,"isNegative":false,"isCompact":true,"mantissa":[5,0,0,0,0,0,0,0]}"#
            }
        }

        var remedy: String {
            switch self {
            case .date: "NumericDate"
            case .url, .decimal: "String"
            case .data: "Base64URL"
            }
        }
    }

    enum Place: String, CaseIterable, CustomTestStringConvertible {
        case top, member, optional, array, dictionary, nested

        var testDescription: String { rawValue }

        var path: String {
            switch self {
            case .top: ""
            case .member, .optional: "c"
            case .array: "[0]"
            case .dictionary: "k"
            case .nested: "inner.c"
            }
        }

        func text(_ value: String) -> String {
            switch self {
            case .top: value
            case .member, .optional: "{\"c\":\(value)}"
            case .array: "[\(value)]"
            case .dictionary: "{\"k\":\(value)}"
            case .nested: "{\"inner\":{\"c\":\(value)}}"
            }
        }
    }

    struct Member<Value: Codable>: Codable { var c: Value }
    struct MaybeMember<Value: Codable>: Codable { var c: Value? }
    struct Nested<Value: Codable>: Codable { var inner: Member<Value> }

    /// Calls with a value of the kind, whose type only the callee's generic parameter knows.
    private func withValue<R>(_ kind: Kind, _ body: (any Codable) throws -> R) throws -> R {
        switch kind {
        case .date: try body(Date(timeIntervalSince1970: 1_700_000_000))
        case .url: try body(try #require(URL(string: "https://hunter2.example")))
        case .data: try body(Data([1, 2, 3]))
        case .decimal: try body(Decimal(5))
        }
    }

    private func wrapped<Value: Codable>(_ value: Value, _ place: Place) -> any Codable {
        switch place {
        case .top: value
        case .member: Member(c: value)
        case .optional: MaybeMember(c: value)
        case .array: [value]
        case .dictionary: ["k": value]
        case .nested: Nested(inner: Member(c: value))
        }
    }

    private func check(_ error: JSONError?, _ kind: Kind, _ place: Place) {
        #expect(error?.code == .unsupportedType)
        #expect(error?.path == place.path)
        #expect(error?.description.contains(kind.remedy) == true)
        #expect(error?.description.contains("hunter2") == false)
    }

    @Test("Decoding refuses them", arguments: Kind.allCases, Place.allCases)
    func decoding(_ kind: Kind, _ place: Place) throws {
        func decoded<Claims: Codable>(_ claims: Claims) -> JSONError? {
            jsonError { try decode(Claims.self, place.text(kind.text)) }
        }
        let error = try withValue(kind) { value in decoded(wrapped(value, place)) }
        check(error, kind, place)
        // The fixture is what the types of Foundation read and write.
        func foundation<Claims: Codable>(_ claims: Claims) throws {
            _ = try JSONDecoder().decode(Claims.self, from: JSONEncoder().encode(claims))
        }
        try withValue(kind) { value in try foundation(wrapped(value, place)) }
    }

    @Test("Encoding refuses them", arguments: Kind.allCases, Place.allCases)
    func encoding(_ kind: Kind, _ place: Place) throws {
        let claims = try withValue(kind) { value in wrapped(value, place) }
        check(jsonError { try encode(claims) }, kind, place)
        check(jsonError { try JSONTokenEncoder().encodeDocument(claims) }, kind, place)
    }

    @Test(
        "A token is neither signed nor read with them, and the program is blamed",
        arguments: Kind.allCases)
    func tokens(_ kind: Kind) throws {
        let key = try TestKeys.hmac(.hs256)
        let signer = try TokenSigner(hmacKey: key, clock: .still)
        let claims = try withValue(kind) { value in wrapped(value, .nested) }
        for error in [
            refusal { try signer.sign(claims, lifetime: .seconds(60)) },
            refusal { try signer.sign(claims, expiration: .optional) },
        ] {
            #expect(error == TokenError(.unsupportedType, claim: "inner.c", ""))
            #expect(error?.message.contains(kind.remedy) == true)
            #expect(error.map { HTTPRefusal($0) } == .internalError)
        }
        let verifier = try TokenVerifier(
            hmacKey: key,
            policy: TokenPolicy(
                issuer: .notChecked, audience: .notChecked, expiration: .optional, clock: .still))
        let value = try #require(try? StrictJSON.decode(JSONValue.self, from: kind.text.utf8))
        let token = try signer.sign(["inner": ["c": value]] as JSONValue, expiration: .optional)
        func read<Claims: Codable>(_ claims: Claims) -> TokenError? {
            refusal { try verifier.verify(token, as: Claims.self) }
        }
        let error = read(claims)
        #expect(error == TokenError(.unsupportedType, claim: "inner.c", ""))
        #expect(error?.message.contains(kind.remedy) == true)
    }

    @Test("A date interval is refused like a date; other Foundation types work")
    func others() throws {
        #expect(jsonError { try encode(DateInterval()) }?.code == .unsupportedType)
        let id = try #require(UUID(uuidString: "123E4567-E89B-12D3-A456-426614174000"))
        #expect(try encode([id]) == #"["123E4567-E89B-12D3-A456-426614174000"]"#)
        #expect(try decode([UUID].self, #"["123E4567-E89B-12D3-A456-426614174000"]"#) == [id])
    }

    @Test("An absent or null date needs no remedy")
    func absent() throws {
        #expect(try decode(MaybeMember<Date>.self, "{}").c == nil)
        #expect(try decode(MaybeMember<Date>.self, #"{"c":null}"#).c == nil)
        #expect(try encode(MaybeMember<Date>(c: nil)) == "{}")
    }

    @Test("A type that catches the refusal is not signed")
    func caught() throws {
        struct GoesOn: Encodable {
            enum CodingKeys: CodingKey { case until, sub }
            func encode(to encoder: any Encoder) throws {
                var object = encoder.container(keyedBy: CodingKeys.self)
                try? object.encode(Date.distantFuture, forKey: .until)
                try object.encode("u", forKey: .sub)
            }
        }
        let error = jsonError { try JSONTokenEncoder().encode(GoesOn()) }
        #expect(error?.code == .unsupportedType && error?.path == "until")
    }
}
