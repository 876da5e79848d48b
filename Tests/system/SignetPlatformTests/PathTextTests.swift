// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Glibc
import SignetPlatform
import TestSupport
import Testing

@Suite("Paths as text")
struct PathTextTests {
    /// Literals have no noncharacters.
    private static func text(_ scalars: UInt32...) -> String {
        scalars.compactMap { Unicode.Scalar($0) }.map { String($0) }.joined()
    }

    private static let texts = [
        "M\u{fc}ller", "", "/a b/\u{1f642}", "e\u{301}", text(0xfdd8, 0xfde0),
        text(0xfddf, 0xfdef, 0xfdd0), text(0xfdd0, 0xfde0), text(0xfffe), text(0x10ffff),
    ]

    @Test("Bytes come back as they were", arguments: texts)
    func same(_ text: String) {
        let bytes = Array(text.utf8)
        #expect(PathText.bytes(of: PathText.text(of: bytes)) == bytes)
        // Also in front of and behind bytes that are none, and cut anywhere.
        for more: [UInt8] in [[0xff], [0xfc, 0x2f], [0xef, 0xb7], [0xef], [0xed, 0xa0, 0x80]] {
            for all in [bytes + more, more + bytes, bytes + more + bytes] {
                for count in 0...all.count {
                    let cut = Array(all.prefix(count))
                    #expect(PathText.bytes(of: PathText.text(of: cut)) == cut)
                }
            }
        }
    }

    @Test("Every sequence of two bytes comes back, and no two are one text")
    func pairs() {
        var texts = Set<[UInt8]>()
        for first in UInt8.min ... .max {
            for second in UInt8.min ... .max {
                let text = PathText.text(of: [first, second])
                #expect(PathText.bytes(of: text) == [first, second])
                texts.insert(Array(text.utf8))
            }
        }
        #expect(texts.count == 65_536)
    }

    @Test("Random bytes come back")
    func random() {
        var generator = SystemRandomNumberGenerator()
        // Often bytes that begin and continue the noncharacters that stand for others.
        let frequent: [UInt8] = [0xef, 0xb7, 0x90, 0x98, 0x9f, 0xa0, 0xaf, 0x2f, 0xfc]
        for _ in 0..<2_000 {
            let bytes = (0..<Int.random(in: 0...24, using: &generator)).map { _ in
                Bool.random(using: &generator)
                    ? UInt8.random(in: .min ... .max, using: &generator)
                    : frequent[Int.random(in: 0..<frequent.count, using: &generator)]
            }
            #expect(PathText.bytes(of: PathText.text(of: bytes)) == bytes, "\(bytes)")
        }
    }

    @Test("Text that stands for nothing else is itself, and no pair is an ASCII character")
    func plain() {
        for text in [
            "Müller", Self.text(0xfdd8), Self.text(0xfde0, 0xfdd8), Self.text(0xfdd2, 0xfdef),
        ] {
            #expect(PathText.bytes(of: text) == Array(text.utf8))
            #expect(PathText.shown(text) == text && PathText.shellWord(text) == nil)
        }
        // 0x2f is a slash, 0x2e a point, 0 the end.
        for value: UInt8 in 0..<0x80 {
            let pair = Self.text(0xfdd0 + UInt32(value >> 4), 0xfde0 + UInt32(value & 15))
            #expect(PathText.bytes(of: pair) == Array(pair.utf8))
        }
    }

    @Test("A name is its text to the byte, or nothing")
    func names() {
        for text in ["Müller", Self.text(0xfddf, 0xfdec), "e\u{301}", ""] {
            let name = PathText.name(PathText.text(of: Array(text.utf8)))
            #expect(name.map { Array($0.utf8) } == Array(text.utf8))
        }
        for bytes: [UInt8] in [[0x4d, 0xfc], [0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80]] {
            #expect(PathText.name(PathText.text(of: bytes)) == nil)
        }
    }

    @Test("People see octal digits, and a shell takes them back")
    func shown() throws {
        let path = PathText.text(of: Array("d\\'\n ".utf8) + [0xfc, 0xc3, 0xbc])
        #expect(PathText.shown(path) == "d\\'\n \\374ü")
        #expect(SystemFailure.quoted(path) == #"$'d\\\'\012 \374ü'"#)
    }

    @Test("A file is written, read and found under the very bytes of its path")
    func files() throws {
        let folder = try TemporaryFolder()
        let name: [UInt8] = [0x6f, 0xfc]
        let path = PathText.text(of: Array(folder.path.utf8) + [0x2f] + name)
        try PrivateFile.write([1, 2], to: path, overwrite: false)
        #expect(try PrivateFile.read(path: path, maximumByteCount: 9).bytes == [1, 2])
        #expect(PrivatePlace.identity(ofFileAt: path) != nil)
        let names = try #require(PrivateFile.names(in: folder.path))
        #expect(names.map { PathText.bytes(of: $0) }.contains(name) && names.count == 3)
        defer { PrivatePlace.removeTemporary(path) }
        let inside = path + "-folder"
        defer { for made in [inside + "/a", inside] { _ = unsafe rmdir(made.cPath) } }
        try UserFolder.make(inside + "/a")
        #expect(PrivatePlace.isFolder(at: inside + "/a"))
        let place = try PrivatePlace.inspect(path: inside + "/v")
        #expect(PathText.bytes(of: place.path).suffix(11) == name + Array("-folder/v".utf8))
    }
}
