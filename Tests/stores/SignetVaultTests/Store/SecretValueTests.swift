// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetVault
import Testing

struct SecretValueTests {
    private static let secret = "correct-horse-battery-staple"

    /// Every way in which Swift shows a value.
    static func shown(_ value: some Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        return [
            dumped, String(describing: value), String(reflecting: value), "\(value)",
            Mirror(reflecting: value).children.map { "\($0)" }.joined(),
        ]
    }

    @Test("No description or dump shows the secret")
    func nothingIsShown() throws {
        let key = ItemKey(service: "s", account: "a")
        let value = SecretValue(Self.secret)
        let item = StoredItem(
            key: key, details: ItemDetails(), created: .current, modified: .current,
            valueType: .string,
            revision: ItemRevision(octets: [1]))
        let values: [Any] = [
            value, Optional(value) as Any, [value], ["k": value], NewItem(key: key, value: value),
            StoreEntry(item: item, value: value), Result<SecretValue, StoreError>.success(value),
        ]
        let bytes = Self.secret.utf8.map(String.init).joined(separator: ", ")
        for value in values {
            for text in Self.shown(value) {
                #expect(!text.contains(Self.secret))
                #expect(!text.contains(bytes))
            }
        }
        #expect(value.description == "SecretValue(redacted)")
    }

    @Test("Values are equal by bytes and type")
    func equalityIsOfBytesAndType() {
        #expect(SecretValue("a") == SecretValue("a"))
        #expect(SecretValue("a") != SecretValue("b"))
        #expect(SecretValue("a") != SecretValue(bytes: "a".utf8))
        #expect(SecretValue(bytes: []) == SecretValue(bytes: []))
    }

    @Test(
        "Only a value of type JSON decodes as JSON",
        arguments: [ValueType.bytes, .string, .symmetricKey, ValueType(rawValue: "other")])
    func jsonIsReadAsJSONOnly(_ type: ValueType) throws {
        #expect(throws: StoreError(.invalidValue, "")) {
            try SecretValue(bytes: "[1]".utf8, type: type).decoded(as: [Int].self)
        }
        #expect(try SecretValue(bytes: "[1]".utf8, type: .json).decoded(as: [Int].self) == [1])
    }

    @Test("Errors of coding quote nothing of the value")
    func coderErrorsQuoteNothing() throws {
        let value = SecretValue(bytes: "{\"\(Self.secret)\": \"\(Self.secret)\"}".utf8, type: .json)
        let error = #expect(throws: StoreError.self) { try value.decoded(as: [String: Int].self) }
        let shown = Self.shown(try #require(error)).joined()
        #expect(!shown.contains(Self.secret))
        #expect(
            shown.contains("not JSON of the type that is asked for")
                && !shown.contains("Dictionary"))

        struct Unwilling: Encodable {
            func encode(to encoder: any Encoder) throws {
                throw EncodingError.invalidValue(
                    SecretValueTests.secret,
                    .init(codingPath: [], debugDescription: SecretValueTests.secret))
            }
        }
        let refused = #expect(throws: StoreError(.invalidValue, "")) {
            try SecretValue(encoding: Unwilling())
        }
        #expect(!Self.shown(try #require(refused)).joined().contains(Self.secret))
    }

    @Test("Equal values encode to the same bytes")
    func equalValuesEncodeEqually() throws {
        let a = try SecretValue(encoding: ["b": "1/2", "a": "2"])
        #expect(a == SecretValue(bytes: "{\"a\":\"2\",\"b\":\"1/2\"}".utf8, type: .json))
        #expect(try SecretValue(encoding: "text").decoded(as: String.self) == "text")
        #expect(throws: StoreError(.invalidValue, "")) { try SecretValue(encoding: Double.nan) }
    }

    @Test("Text must be valid UTF-8")
    func textIsValidUTF8() throws {
        #expect(try SecretValue("e\u{301} 😀 \u{0}").string() == "e\u{301} 😀 \u{0}")
        for bytes: [UInt8] in [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf0, 0x9f]] {
            #expect(throws: StoreError(.invalidValue, "")) {
                try SecretValue(bytes: bytes, type: .string).string()
            }
        }
    }
}
