// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing
import VectorBridge

/// Strings that are written without an escape, against what a writer of one byte after the other does.
@Suite struct QuotedTextTests {
    static let untouched: UInt8 = 0xaa

    /// What is written where there is `room` behind `offset`, and how many of those bytes count.
    static func written(
        _ text: [UInt8], at offset: Int = 3, room: Int? = nil, comma: Bool = false, colon: Bool = false
    ) -> (count: Int, bytes: [UInt8]) {
        var bytes = [UInt8](repeating: untouched, count: offset + (room ?? text.count + 4))
        let count = bytes.writeQuoted(text.span, at: offset, comma: comma, colon: colon)
        return (count, bytes)
    }

    static func expected(_ text: [UInt8], comma: Bool, colon: Bool) -> [UInt8] {
        Array(comma ? ",\"".utf8 : "\"".utf8) + text + Array(colon ? "\":".utf8 : "\"".utf8)
    }

    @Test("A plain text of each length to 130, with and without what goes around it")
    func everyLength() {
        for count in 0...130 {
            let text = (0..<count).map { UInt8(ascii: "a") + UInt8($0 % 26) }
            for (comma, colon) in [(false, false), (true, false), (false, true), (true, true)] {
                let expected = Self.expected(text, comma: comma, colon: colon)
                // With exactly as much room as it has to have, and more.
                for room in [count + 4, count + 40] {
                    let (length, bytes) = Self.written(text, room: room, comma: comma, colon: colon)
                    #expect(length == expected.count, "\(count) characters")
                    #expect(Array(bytes[3..<3 + expected.count]) == expected, "\(count) characters")
                    #expect(bytes.prefix(3).allSatisfy { $0 == Self.untouched })
                    // One byte behind may be written over.
                    #expect(bytes.dropFirst(4 + expected.count).allSatisfy { $0 == Self.untouched })
                }
            }
        }
    }

    @Test("Every byte, at every place of each length to 35: it is written, or the text ends before it")
    func everyByte() {
        for byte in UInt8.min...UInt8.max {
            for count in 1...35 {
                for place in 0..<count {
                    var text = [UInt8](repeating: UInt8(ascii: "a"), count: count)
                    text[place] = byte
                    let (length, bytes) = Self.written(text, comma: true, colon: true)
                    if JSONMarksTests.isMarked(byte) {
                        let done = length - 2
                        guard done >= 0, done <= place, place - done < 16 else {
                            Issue.record("\(byte) at \(place) of \(count): \(length) written")
                            continue
                        }
                        guard Array(bytes[3..<3 + length]) == Array(",\"".utf8) + text[..<done] else {
                            Issue.record("\(byte) at \(place) of \(count): another text")
                            continue
                        }
                    } else if length != count + 4
                        || Array(bytes[3...]) != Self.expected(text, comma: true, colon: true)
                    {
                        Issue.record("\(byte) at \(place) of \(count): \(length) written")
                    }
                }
            }
        }
    }

    @Test("Without room for it, or at a place that is none, nothing is written")
    func noRoom() {
        for count in [0, 1, 7, 8, 15, 16, 17, 100] {
            let text = [UInt8](repeating: UInt8(ascii: "a"), count: count)
            for room in [0, 1, count + 3] {
                let (length, bytes) = Self.written(text, room: room)
                #expect(length == 0)
                #expect(bytes.allSatisfy { $0 == Self.untouched })
            }
            for offset in [-1, .min, 200, .max] {
                var bytes = [UInt8](repeating: Self.untouched, count: 199)
                #expect(bytes.writeQuoted(text.span, at: offset, comma: true, colon: true) == 0)
                #expect(bytes.allSatisfy { $0 == Self.untouched })
            }
        }
    }
}
