// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetMemory
import SignetVault
import TestSupport
import Testing

@Suite("Vault format: item metadata")
struct ItemMetadataTests {
    private static func sample(_ details: ItemDetails = ItemDetails()) -> ItemMetadata {
        ItemMetadata(
            key: FormatSample.itemKey, details: details, created: ItemTime(milliseconds: 1),
            modified: ItemTime(milliseconds: 2), valueType: .string)
    }

    private static let detailed = sample(
        ItemDetails(
            label: "Alice’s mail", comment: "line one\nline two \u{0}",
            attributes: ["url": "https://example.com/?q=ä", "a": "", "b": "2", "é": "3", "Z": "4"]))

    private func decode(_ bytes: [UInt8], expecting key: ItemKey? = nil) throws -> ItemMetadata {
        try ItemMetadata(decoding: bytes.span, expecting: key)
    }

    private func lp(_ text: String) -> [UInt8] { lp(Array(text.utf8)) }

    private func lp(_ octets: [UInt8]) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: octets.count >> $0) } + octets
    }

    /// Metadata from its parts, each of which may be replaced.
    private func built(
        version: [UInt8] = [1], itemClass: [UInt8]? = nil, group: [UInt8]? = nil,
        service: [UInt8]? = nil,
        account: [UInt8]? = nil, label: [UInt8]? = nil, comment: [UInt8]? = nil,
        created: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1], modified: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 2],
        type: [UInt8]? = nil, attributes: [UInt8] = [0, 0, 0, 0], rest: [UInt8] = []
    ) -> [UInt8] {
        version + (itemClass ?? lp("generic")) + (group ?? lp("")) + (service ?? lp("example.com"))
            + (account ?? lp("alice")) + (label ?? lp("")) + (comment ?? lp("")) + created
            + modified
            + (type ?? lp("string")) + attributes + rest
    }

    @Test("Every byte is where the document says")
    func layout() throws {
        #expect(try Self.sample().encoded() == built())
        #expect(try decode(built()) == Self.sample())
        let attributes: [UInt8] = [0, 0, 0, 2] + lp("a") + lp("1") + lp("b") + lp("")
        let two = Self.sample(ItemDetails(attributes: ["b": "", "a": "1"]))
        #expect(try two.encoded() == built(attributes: attributes))
        #expect(try decode(built(attributes: attributes)) == two)
    }

    @Test(
        "Attribute names are sorted by their bytes, not as strings")
    func order() throws {
        let encoded = try Self.detailed.encoded()
        let read = try decode(encoded)
        #expect(read == Self.detailed)
        // Z < a < b < url < é in UTF-8.
        let places = ["Z", "a", "b", "url", "é"].map { name in
            let needle = lp(name)
            return encoded.indices.first { encoded[$0...].starts(with: needle) } ?? -1
        }
        #expect(places == places.sorted() && !places.contains(-1))
    }

    @Test("Metadata is sealed, opened and bound to the row's id")
    func sealed() throws {
        let key = try FormatSample.vaultKey()
        let id = FormatSample.itemID
        let sealed = try Self.detailed.sealed(with: key, id: id.span, generation: 7)
        #expect(VaultFormat.sealedMetadataByteCounts.contains(sealed.count))
        let opened = try ItemMetadata(opening: sealed.span, with: key, id: id.span, generation: 7)
        #expect(opened == Self.detailed)
        let expected = try ItemMetadata(
            opening: sealed.span, with: key, id: id.span, generation: 7,
            expecting: FormatSample.itemKey)
        #expect(expected == Self.detailed)
        for (name, other) in FormatSample.damaged(
            try Self.sample().sealed(with: key, id: id.span, generation: 7))
        {
            #expect(
                FormatSample.code {
                    _ = try ItemMetadata(opening: other.span, with: key, id: id.span, generation: 7)
                } == .corrupt, "\(name)")
        }
    }

    @Test(
        "Metadata of another item than the requested one is damage",
        arguments: [
            ItemKey(service: "example.com", account: "bob"),
            ItemKey(service: "example.co", account: "malice"),
            ItemKey(service: "example.com", account: "alice", itemClass: .token),
            ItemKey(service: "example.com", account: "alice", accessGroup: "g"),
            ItemKey(service: "example.com", account: "alicé"),
        ])
    func otherItem(key: ItemKey) throws {
        #expect(FormatSample.code { _ = try decode(built(), expecting: key) } == .corrupt)
    }

    @Test("Texts that are equal as strings but not as bytes are two items")
    func canonicalEquivalence() throws {
        let composed = "\u{e9}"
        let decomposed = "e\u{301}"
        #expect(composed == decomposed)
        let bytes = built(account: lp(composed))
        _ = try decode(bytes, expecting: ItemKey(service: "example.com", account: composed))
        #expect(
            FormatSample.code {
                _ = try decode(
                    bytes, expecting: ItemKey(service: "example.com", account: decomposed))
            } == .corrupt)
    }

    @Test("No byte may be missing, and none may follow")
    func truncated() throws {
        let encoded = try Self.detailed.encoded()
        for count in 0..<encoded.count {
            #expect(
                FormatSample.code { _ = try decode(Array(encoded.prefix(count))) } == .corrupt,
                "\(count)")
        }
        #expect(FormatSample.code { _ = try decode(encoded + [0]) } == .corrupt)
    }

    @Test(
        "Any changed bit is refused, or gives other well-formed metadata")
    func flipped() throws {
        let encoded = try Self.detailed.encoded()
        for bit in 0..<(encoded.count * 8) {
            var other = encoded
            other[bit / 8] ^= 0x80 >> (bit % 8)
            do {
                let read = try decode(other)
                #expect(try read.encoded() == other, "bit \(bit): another encoding of the same")
            } catch let error as StoreError {
                #expect(error.code == .corrupt, "bit \(bit)")
            }
        }
    }

    @Test("Values beyond the limits and invalid UTF-8 are refused")
    func malformed() {
        let largest: [UInt8] = [0x80, 0, 0, 0, 0, 0, 0, 0]
        let cases: [(String, [UInt8])] = [
            ("version 0", built(version: [0])), ("version 2", built(version: [2])), ("empty", []),
            ("no class", built(itemClass: lp(""))),
            ("an unknown class", built(itemClass: lp("generics"))),
            ("a class of 65", built(itemClass: lp(String(repeating: "c", count: 65)))),
            ("a group of 256", built(group: lp(String(repeating: "c", count: 256)))),
            ("no service", built(service: lp(""))),
            ("a service of 1025", built(service: lp(String(repeating: "c", count: 1025)))),
            ("an account of 1025", built(account: lp(String(repeating: "c", count: 1025)))),
            ("a label of 1025", built(label: lp(String(repeating: "c", count: 1025)))),
            ("a comment of 4097", built(comment: lp(String(repeating: "c", count: 4097)))),
            ("no type", built(type: lp(""))),
            ("a type of 65", built(type: lp(String(repeating: "c", count: 65)))),
            ("created beyond", built(created: largest)),
            ("modified beyond", built(modified: largest)),
            ("not UTF-8", built(account: lp([0xff]))),
            ("half a character", built(label: lp([0xc3]))),
            ("an overlong zero", built(label: lp([0xc0, 0x80]))),
            ("a surrogate", built(comment: lp([0xed, 0xa0, 0x80]))),
            ("above Unicode", built(type: lp([0xf4, 0x90, 0x80, 0x80]))),
            (
                "65 attributes",
                built(
                    attributes: [0, 0, 0, 65] + (0..<65).flatMap { lp([0x41 + UInt8($0)]) + lp("") }
                )
            ),
            ("attributes that are not there", built(attributes: [255, 255, 255, 255])),
            ("an attribute without a name", built(attributes: [0, 0, 0, 1] + lp("") + lp("x"))),
            (
                "a name of 129",
                built(attributes: [0, 0, 0, 1] + lp(String(repeating: "n", count: 129)) + lp("x"))
            ),
            (
                "a value of 4097",
                built(attributes: [0, 0, 0, 1] + lp("n") + lp(String(repeating: "n", count: 4097)))
            ),
            (
                "not ascending",
                built(attributes: [0, 0, 0, 2] + lp("b") + lp("") + lp("a") + lp(""))
            ),
            (
                "twice the same",
                built(attributes: [0, 0, 0, 2] + lp("a") + lp("1") + lp("a") + lp("2"))
            ),
            (
                "a longer one first",
                built(attributes: [0, 0, 0, 2] + lp("ab") + lp("") + lp("a") + lp(""))
            ),
            (
                "equal as strings",
                built(attributes: [0, 0, 0, 2] + lp("e\u{301}") + lp("1") + lp("\u{e9}") + lp("2"))
            ),
            ("something behind", built(rest: [0])),
            ("a length of 2^32 - 1", built(account: [255, 255, 255, 255])),
        ]
        for (name, bytes) in cases {
            #expect(FormatSample.code { _ = try decode(bytes) } == .corrupt, "\(name)")
        }
    }

    @Test("The longest allowed values are written and read")
    func longest() throws {
        let key = ItemKey(
            service: String(repeating: "s", count: 1024),
            account: String(repeating: "a", count: 1024),
            itemClass: .certificate, accessGroup: String(repeating: "g", count: 255))
        var details = ItemDetails(
            label: String(repeating: "l", count: 1024), comment: String(repeating: "c", count: 4096)
        )
        for index in 0..<14 {
            details.attributes[String(repeating: "n", count: 126) + String(index + 10)] = String(
                repeating: "v", count: 4000)
        }
        let metadata = ItemMetadata(
            key: key, details: details, created: ItemTime(milliseconds: .max),
            modified: ItemTime(milliseconds: 0),
            valueType: ValueType(rawValue: String(repeating: "t", count: 64)))
        let encoded = try metadata.encoded()
        #expect(encoded.count > 60_000 && encoded.count <= 65_536)
        #expect(try decode(encoded) == metadata)
        var more = metadata
        more.details.attributes["one more"] = String(repeating: "v", count: 4096)
        #expect(FormatSample.code { _ = try more.encoded() } == .invalidItem)
    }

    @Test("A writer refuses what a reader refuses")
    func limits() {
        func code(_ change: (inout ItemMetadata) -> Void) -> StoreError.Code? {
            var metadata = Self.sample()
            change(&metadata)
            return FormatSample.code { _ = try metadata.encoded() }
        }
        let long = String(repeating: "x", count: 4097)
        #expect(code { $0.key = ItemKey(service: "", account: "a") } == .invalidItem)
        #expect(code { $0.key = ItemKey(service: long, account: "a") } == .invalidItem)
        #expect(code { $0.key = ItemKey(service: "s", account: long) } == .invalidItem)
        #expect(
            code { $0.key = ItemKey(service: "s", account: "a", accessGroup: long) } == .invalidItem
        )
        #expect(code { $0.details.label = long } == .invalidItem)
        #expect(code { $0.details.comment = long } == .invalidItem)
        #expect(code { $0.details.attributes = ["": "x"] } == .invalidItem)
        #expect(code { $0.details.attributes = [long: "x"] } == .invalidItem)
        #expect(code { $0.details.attributes = ["x": long] } == .invalidItem)
        #expect(code { $0.valueType = ValueType(rawValue: "") } == .invalidValue)
        #expect(code { $0.valueType = ValueType(rawValue: long) } == .invalidValue)
        #expect(
            code { metadata in for index in 0..<65 { metadata.details.attributes["\(index)"] = "" }
            }
                == .invalidItem)
        // Octets count, not characters.
        #expect(
            code { $0.key = ItemKey(service: String(repeating: "ä", count: 513), account: "") }
                == .invalidItem)
        #expect(
            code { $0.key = ItemKey(service: String(repeating: "ä", count: 512), account: "") }
                == nil)
    }
}
