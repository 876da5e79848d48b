// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJSON
import TestSupport
import Testing

/// A type may hold all of its containers at once and write to them in any order: the text is the
/// same as in one pass.
@Suite("Interleaved containers")
struct InterleavedContainerTests {
    struct Name: CodingKey {
        let stringValue: String
        let intValue: Int? = nil
        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }

    indirect enum Tree {
        case number(Int)
        case text(String)
        case array([Tree])
        case object([(name: String, value: Tree)])

        static func random(depth: Int, _ random: inout SeededGenerator) -> Tree {
            let count = Int.random(in: 0...4, using: &random)
            switch Int.random(in: 0..<(depth == 0 ? 4 : depth < 5 ? 6 : 2), using: &random) {
            case 0 where depth > 0: return .number(Int.random(in: -99_999...99_999, using: &random))
            case 1 where depth > 0:
                return .text(["", "a", "\"\n\u{e9}", "longer than a word"][count % 4])
            case 0, 2, 4: return .array((0..<count).map { _ in .random(depth: depth + 1, &random) })
            default:
                return .object(
                    (0..<count).map {
                        (
                            ["", "n", "\"\\", "a longer name"][$0 % 4] + "\($0)",
                            .random(depth: depth + 1, &random)
                        )
                    })
            }
        }

        /// Written in one go.
        var json: String {
            switch self {
            case .number(let number): "\(number)"
            case .text(let text): Self.quoted(text)
            case .array(let elements): "[" + elements.map(\.json).joined(separator: ",") + "]"
            case .object(let members):
                "{"
                    + members.map { Self.quoted($0.name) + ":" + $0.value.json }.joined(
                        separator: ",") + "}"
            }
        }

        private static func quoted(_ text: String) -> String {
            "\""
                + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
                .replacing("\n", with: "\\n") + "\""
        }
    }

    struct Interleaved: Encodable {
        let tree: Tree
        let seed: UInt64

        /// What is still to be written: into a container, or in a place.
        enum Work {
            case array(any UnkeyedEncodingContainer, ArraySlice<Tree>)
            case object(KeyedEncodingContainer<Name>, ArraySlice<(name: String, value: Tree)>)
            case place(any Encoder, Tree)
        }

        func encode(to encoder: any Encoder) throws {
            var random = SeededGenerator(seed: seed)
            var work = [Work.place(encoder, tree)]
            while let chosen = work.indices.randomElement(using: &random) {
                switch work.remove(at: chosen) {
                case .place(let encoder, let tree): try begin(encoder, tree, &work)
                case .array(var container, let rest):
                    guard let next = rest.first else { continue }
                    if Bool.random(using: &random), case .number(let number) = next {
                        try container.encode(number)
                    } else if Bool.random(using: &random), case .object(let members) = next {
                        work.append(
                            .object(container.nestedContainer(keyedBy: Name.self), members[...]))
                    } else {
                        work.append(.place(container.superEncoder(), next))
                    }
                    work.append(.array(container, rest.dropFirst()))
                case .object(var container, let rest):
                    guard let next = rest.first else { continue }
                    if Bool.random(using: &random), case .text(let text) = next.value {
                        try container.encode(text, forKey: Name(next.name))
                    } else if Bool.random(using: &random), case .array(let elements) = next.value {
                        let nested = container.nestedUnkeyedContainer(forKey: Name(next.name))
                        work.append(.array(nested, elements[...]))
                    } else {
                        work.append(
                            .place(container.superEncoder(forKey: Name(next.name)), next.value))
                    }
                    work.append(.object(container, rest.dropFirst()))
                }
            }
        }

        private func begin(_ encoder: any Encoder, _ tree: Tree, _ work: inout [Work]) throws {
            switch tree {
            case .number(let number):
                var container = encoder.singleValueContainer()
                try container.encode(number)
            case .text(let text):
                var container = encoder.singleValueContainer()
                try container.encode(text)
            case .array(let elements):
                work.append(.array(encoder.unkeyedContainer(), elements[...]))
            case .object(let members):
                work.append(.object(encoder.container(keyedBy: Name.self), members[...]))
            }
        }
    }

    @Test("2,000 random values, written in random order, come out the same")
    func interleaved() throws {
        var random = SeededGenerator(seed: 17)
        for _ in 0..<2_000 {
            let tree = Tree.random(depth: 0, &random)
            let written = try JSONTokenEncoder().encode(
                Interleaved(tree: tree, seed: random.next()))
            #expect(String(decoding: written, as: UTF8.self) == tree.json)
        }
    }

    @Test(
        "Unused places become empty objects, and paths survive moves"
    )
    func emptyPlaces() throws {
        struct Empty: Encodable {
            func encode(to encoder: any Encoder) throws {
                var outer = encoder.container(keyedBy: Name.self)
                _ = outer.superEncoder(forKey: Name("a"))
                var list = outer.nestedUnkeyedContainer(forKey: Name("li\"st"))
                let late = list.superEncoder()
                _ = list.superEncoder()
                try outer.encode(1, forKey: Name("b"))
                var object = late.container(keyedBy: Name.self)
                try object.encode(2, forKey: Name("c"))
                #expect(object.codingPath.map(\.stringValue) == ["li\\\"st", "0"])
                try list.encode(3)
                try object.encode(4, forKey: Name("d"))
                _ = outer.superEncoder()
            }
        }
        let written = try JSONTokenEncoder().encode(Empty())
        #expect(
            String(decoding: written, as: UTF8.self)
                == #"{"a":{},"li\"st":[{"c":2,"d":4},{},3],"b":1,"super":{}}"#)
    }
}
