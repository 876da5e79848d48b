// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import CurlBridge
import TestSupport
import Testing

@Suite("Response heads, checked before libcurl trusts them")
struct HeadReaderTests {
    /// Lines with their ends, as libcurl hands them over.
    private static func read(_ lines: [String], isEncrypted: Bool = false) -> HeadReader? {
        var reader = HeadReader(isEncrypted: isEncrypted)
        for line in lines where !reader.take(Array((line + "\r\n").utf8)) { return nil }
        return reader
    }

    @Test(
        "Status lines are read",
        arguments: [
            ("HTTP/1.1 200 OK", 200), ("HTTP/1.1 200 ", 200), ("HTTP/1.1 200", 200),
            ("HTTP/1.0 599 é", 599),
            ("HTTP/1.1 999 x", 999),
        ])
    func status(_ line: String, _ status: Int) throws {
        let reader = try #require(Self.read([line, ""]))
        #expect(reader.status == status && reader.isComplete && reader.fields.isEmpty)
    }

    @Test(
        "Malformed status lines are refused",
        arguments: [
            "", "HTTP/1.1", "HTTP/1.1 ", "HTTP/1.1 20", "HTTP/1.1 2000 x", "HTTP/1.1 200x",
            "HTTP/1.1  200",
            "HTTP/1.2 200 OK", "HTTP/2 200", "http/1.1 200 OK", "HTTP/1.1 -20 x", "HTTP/1.1 099 x",
            "HTTP/1.1 000 x", "HTTP/1.1 2\u{0660}0 x", "ICY 200 OK", " HTTP/1.1 200 OK",
        ])
    func noStatus(_ line: String) { #expect(Self.read([line, ""]) == nil) }

    @Test("A head has at most 64 KiB, including hints and trailers")
    func limit() {
        func fits(_ count: Int, before: [String], after: [String]) -> Bool {
            let used = (before + after).reduce(0) { $0 + $1.utf8.count + 2 }
            let filler = String(repeating: "a", count: max(0, count - used - 5))
            return Self.read(before + ["X: " + filler] + after) != nil
        }
        let limit = HeadReader.maximumByteCount
        for (before, after) in [
            (["HTTP/1.1 200 OK"], [""]),
            (["HTTP/1.1 100 Go", "", "HTTP/1.1 103 Go", "A: b", "", "HTTP/1.1 200 OK"], [""]),
            (["HTTP/1.1 200 OK", "Transfer-Encoding: chunked", ""], ["Y: z", ""]),
        ] {
            #expect(fits(limit, before: before, after: after))
            #expect(!fits(limit + 1, before: before, after: after))
        }
    }

    @Test("Informational answers are dropped, and may state no codings or lengths")
    func hints() throws {
        let answer = ["HTTP/1.1 200 OK", "Content-Length: 7", "Content-Length: 7", ""]
        let reader = try #require(Self.read(["HTTP/1.1 103 Hints", "Link: a", ""] + answer))
        #expect(reader.status == 200 && reader.fields.map(\.name).count == 2)
        for field in [
            "Content-Length: 7", "Transfer-Encoding: chunked", "content-encoding: identity",
        ] {
            #expect(Self.read(["HTTP/1.1 103 Hints", field, ""] + answer) == nil, "\(field)")
        }
    }

    @Test("A body has one framing")
    func framing() {
        let refused = [
            ["Transfer-Encoding: chunked", "Content-Length: 2"],
            ["Content-Length: 2", "Transfer-Encoding: chunked"],
            ["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"],
            ["Transfer-Encoding: identity"], ["Transfer-Encoding: gzip, chunked"],
            ["Transfer-Encoding: chunked, chunked"], ["Transfer-Encoding: "],
            ["Content-Length: 2", "Content-Length: 3"],
        ]
        for fields in refused {
            #expect(Self.read(["HTTP/1.1 200 OK"] + fields + [""]) == nil, "\(fields)")
        }
        #expect(Self.read(["HTTP/1.0 200 OK", "Transfer-Encoding: chunked", ""]) == nil)
        #expect(Self.read(["HTTP/1.1 200 OK", "transfer-encoding:  Chunked ", ""]) != nil)
        #expect(Self.read(["HTTP/1.0 200 OK", "Content-Length: 2", ""]) != nil)
    }

    @Test("Over TLS a body must state its end")
    func encrypted() {
        func isRead(_ lines: String...) -> Bool {
            Self.read(lines + [""], isEncrypted: true) != nil
        }
        #expect(!isRead("HTTP/1.1 200 OK"))
        #expect(!isRead("HTTP/1.0 302 Found", "Location: /"))
        #expect(isRead("HTTP/1.1 205 Reset"))
        #expect(isRead("HTTP/1.1 204 None") && isRead("HTTP/1.1 304 Same"))
        #expect(isRead("HTTP/1.1 200 OK", "Content-Length: 0"))
        #expect(isRead("HTTP/1.1 200 OK", "Transfer-Encoding: chunked"))
        #expect(!isRead("HTTP/1.1 103 Hints", "", "HTTP/1.1 200 OK"))
    }

    @Test("Every content coding is refused")
    func codings() {
        for value in ["gzip", "x-gzip", "deflate", "br", "zstd", "identity, gzip", "gzip, gzip"] {
            let field = "Content-Encoding: \(value)"
            #expect(Self.read(["HTTP/1.1 200 OK", field, ""]) == nil, "\(value)")
            #expect(
                Self.read(["HTTP/1.1 200 OK", "Content-Encoding: identity", field, ""]) == nil,
                "\(value)")
        }
        for value in ["", "identity", " Identity "] {
            #expect(
                Self.read(["HTTP/1.1 200 OK", "Content-Encoding: \(value)", ""]) != nil, "\(value)")
        }
    }

    @Test("Random bytes are read or refused within the memory limit")
    func noise() throws {
        var random = SeededGenerator(seed: 20_261_122)
        let pieces = [
            "HTTP/1.1 200 OK", "HTTP/1.1 100 Go", "", "X: y", "Content-Length: 5", ":", " ",
            "\u{0}", "é",
            "Transfer-Encoding: chunked", "Content-Encoding: gzip", "\r", "\n", "HTTP/1.1 ", "9",
            "-",
        ]
        var complete = 0
        for _ in 0..<4_000 {
            var reader = HeadReader(isEncrypted: Bool.random(using: &random))
            for index in 0..<Int.random(in: 1...12, using: &random) {
                var line = index == 0 && Bool.random(using: &random) ? "HTTP/1.1 200 OK" : ""
                for _ in 0..<Int.random(in: 0...2, using: &random) {
                    line += pieces.randomElement(using: &random) ?? ""
                }
                var octets = Array((line + "\r\n").utf8)
                if Int.random(in: 0..<4, using: &random) == 0 {
                    octets[Int.random(in: 0..<octets.count, using: &random)] = UInt8.random(
                        in: 0...255, using: &random)
                }
                guard reader.take(octets) else { break }
            }
            if reader.isComplete {
                complete += 1
                let status = try #require(reader.status)
                #expect(
                    (200...999).contains(status)
                        && reader.fields.allSatisfy { !$0.name.isEmpty })
            }
        }
        #expect(complete > 200)
    }
}
