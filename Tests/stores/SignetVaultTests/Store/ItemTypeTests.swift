// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetVault
import Testing

struct ItemTypeTests {
    @Test("Keys are compared by their bytes, part by part")
    func keysAreOctets() {
        let composed = ItemKey(service: "s", account: "\u{e9}")
        let decomposed = ItemKey(service: "s", account: "e\u{301}")
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed, composed]).count == 2)
        // The content of one part does not slip into the next.
        #expect(ItemKey(service: "ab", account: "c") != ItemKey(service: "a", account: "bc"))
        #expect(composed.inAccessGroup("g") != composed)
        #expect(ItemKey.token(service: "s", account: "a").itemClass == .token)
        #expect(ItemKey.internet(server: "s", account: "a").itemClass == .internet)
        #expect(ItemKey.certificate(service: "s", name: "a").itemClass == .certificate)
    }

    @Test("Keys sort by their bytes")
    func keysSortByOctets() {
        let keys = [
            ItemKey(service: "a", account: "z", itemClass: .generic),
            ItemKey(service: "a", account: "\u{e9}", itemClass: .generic),
            ItemKey(service: "a", account: "a", itemClass: .token),
            ItemKey(service: "b", account: "a"),
            ItemKey(service: "A", account: "", accessGroup: "g"),
        ]
        #expect(keys.reversed().sorted() == keys)
        #expect(!(keys[0] < keys[0]))
    }

    @Test("A key prints no terminal commands")
    func keysPrintWithoutTerminalCommands() {
        let key = ItemKey(service: "s\u{1b}[2J", account: "a\nb\u{202e}")
        #expect(key.description == "generic s\u{fffd}[2J/a\u{fffd}b\u{fffd}")
        #expect(
            ItemKey(service: "s", account: "a", accessGroup: "g").description == "generic s/a (g)")
    }

    @Test("Details and value types are compared by their bytes")
    func detailsAndTypesAreOctets() {
        #expect(ItemDetails(label: "\u{e9}") != ItemDetails(label: "e\u{301}"))
        #expect(
            ItemDetails(attributes: ["\u{e9}": "1"]) != ItemDetails(attributes: ["e\u{301}": "1"]))
        #expect(
            ItemDetails(attributes: ["a": "1", "b": "2"])
                == ItemDetails(attributes: ["b": "2", "a": "1"]))
        #expect(
            ItemDetails(attributes: ["a": "1", "b": "2"]).hashValue
                == ItemDetails(attributes: ["b": "2", "a": "1"]).hashValue)
        #expect(ValueType(rawValue: "\u{e9}") != ValueType(rawValue: "e\u{301}"))
    }

    @Test(
        "A time prints as ISO 8601 in UTC",
        arguments: [
            (UInt64(0), "1970-01-01T00:00:00.000Z"), (951_782_399_999, "2000-02-28T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (951_868_800_001, "2000-03-01T00:00:00.001Z"),
            (1_704_067_199_000, "2023-12-31T23:59:59.000Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
            (1_784_967_330_250, "2026-07-25T08:15:30.250Z"),
            (9_223_372_036_854_775_807, "292278994-08-17T07:12:55.807Z"),
        ])
    func timesReadAsISO8601(_ milliseconds: UInt64, _ text: String) {
        #expect(ItemTime(milliseconds: milliseconds).description == text)
    }

    @Test("Times out of range become the nearest valid time")
    func timesStayInRange() throws {
        #expect(ItemTime(milliseconds: .max).milliseconds == UInt64(Int64.max))
        #expect(ItemTime(secondsSince1970: 1.5).milliseconds == 1500)
        #expect(ItemTime(secondsSince1970: 1.5).secondsSince1970 == 1.5)
        for seconds in [-1, -Double.infinity, .nan, 0] {
            #expect(ItemTime(secondsSince1970: seconds).milliseconds == 0)
        }
        for seconds in [1e300, .infinity] {
            #expect(ItemTime(secondsSince1970: seconds) == ItemTime(milliseconds: .max))
        }
        let coded = try SecretValue(encoding: [ItemTime(milliseconds: 12)])
        #expect(coded == SecretValue(bytes: "[12]".utf8, type: .json))
        let over = SecretValue(bytes: "[18446744073709551615]".utf8, type: .json)
        #expect(try over.decoded(as: [ItemTime].self) == [ItemTime(milliseconds: .max)])
    }

    @Test("An item's metadata has at most 64 KiB")
    func metadataHasALimitOfItsOwn() throws {
        let key = ItemKey(service: "s", account: "a")
        let value = SecretValue("v")
        // 1 + (4 + 7) + 4 + 5 + 5 + 4 + 4 + 8 + 8 + (4 + 6) + 4, and 8 + 3 + 4093 for each of fifteen attributes.
        var attributes: [String: String] = [:]
        for number in 10..<25 { attributes["a\(number)"] = String(repeating: "x", count: 4093) }
        let rest = 65_536 - 64 - 15 * 4104
        attributes["b"] = String(repeating: "x", count: rest - 9)
        try ItemLimits.check(key: key, value: value, details: ItemDetails(attributes: attributes))
        attributes["b"]?.append("x")
        #expect(throws: StoreError(.invalidItem, "")) {
            try ItemLimits.check(
                key: key, value: value, details: ItemDetails(attributes: attributes))
        }
    }
}
