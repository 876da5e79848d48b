// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetIdentity
import TestSupport
import Testing

/// What a server may send, and what the transport makes of it: an answer with this status and body,
/// or one of these failures.
struct HostileAnswer: Sendable, CustomTestStringConvertible {
    enum Outcome: Sendable {
        case answer(Int, String? = nil)
        case failure(TransportFailure.Code)
        /// Versions of libcurl differ, and either result is safe: an answer or a failure, in time.
        case either
    }

    let testDescription: String
    let behaviour: Behaviour
    let outcome: Outcome

    private init(_ name: String, _ outcome: Outcome, _ behaviour: Behaviour) {
        (testDescription, self.behaviour, self.outcome) = (name, behaviour, outcome)
    }

    private static func raw(_ name: String, _ outcome: Outcome, _ text: String) -> HostileAnswer {
        HostileAnswer(name, outcome, .raw(text))
    }

    private static func field(
        _ name: String, _ status: Int, _ outcome: Outcome, _ field: String, _ value: String
    ) -> HostileAnswer {
        HostileAnswer(
            name, outcome,
            Behaviour("body") {
                $0.status = status
                $0.fields = [[field, value]]
            })
    }

    static let all: [HostileAnswer] =
        statuses + statusesBelow100 + redirects + heads + bodies + trailersAndLengths + strict
        + gzip

    private static let trailersAndLengths: [HostileAnswer] = [
        raw("trailers", .answer(200, "hi"), chunks + "2\r\nhi\r\n0\r\nX-A: b\r\nX-C: d\r\n\r\n"),
        raw("nonsense for trailers", .either, chunks + "2\r\nhi\r\n0\r\n: \u{1}\r\nxx\r\n\r\n"),
        raw("trailers that are cut off", .either, chunks + "2\r\nhi\r\n0\r\nX-A: b\r\nX-"),
        raw(
            "a length of 2^63 - 1", .failure(.bodyTooLarge),
            "HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\nhi"),
    ]

    /// What other libraries accept, buffer without bound or crash on.
    private static let strict: [HostileAnswer] = [
        raw(
            "a length of 2^63", .failure(.bodyTooLarge),
            "HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775808\r\n\r\nhi"),
        raw(
            "a length past 64 bits", .failure(.bodyTooLarge),
            "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999999999\r\n\r\nhi"),
        refusedHead("a negative length", "Content-Length: -5"),
        refusedHead("a length with a plus", "Content-Length: +2"),
        refusedHead("two lengths in one field", "Content-Length: 2, 5"),
        refusedHead("two lengths", "Content-Length: 2\r\nContent-Length: 5"),
        refusedHead("a field without colon", "foo"),
        refusedHead("a folded field", "X: a\r\n b"),
        refusedHead("a space before the colon", "Content-Length : 2"),
        refusedHead("an escape in a field", "X: \u{1b}[31m"),
        refusedHead("brotli", "Content-Encoding: br"),
        refusedHead("zstd, which has windows of 128 MB", "Content-Encoding: zstd"),
        refusedHead("deflate", "Content-Encoding: deflate"),
        refusedHead("chunks with a length", "Transfer-Encoding: chunked"),
        refusedHead("no coding as a transfer coding", "Transfer-Encoding: identity"),
        raw(
            "chunks in HTTP/1.0", .failure(.invalidResponse),
            "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        raw(
            "hints with a length", .failure(.invalidResponse),
            "HTTP/1.1 103 Hints\r\nContent-Length: 2\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"
        ),
        refusedHead("gzip in gzip", "Content-Encoding: gzip, gzip"),
        refusedHead("gzip and again gzip", "Content-Encoding: gzip\r\nContent-Encoding: gzip"),
        refusedHead("gzip as a transfer coding", "Transfer-Encoding: gzip, chunked"),
        refusedHead("zstd as a transfer coding", "Transfer-Encoding: zstd"),
        refusedHead("chunks in chunks", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"),
        // libcurl 7.88 ends both with BAD_FUNCTION_ARGUMENT.
        raw(
            "a chunk's length in C's way", .failure(.invalidResponse),
            chunks + "0x2\r\nhi\r\n0\r\n\r\n"),
        raw(
            "a second head for a trailer", .failure(.invalidResponse),
            chunks + "2\r\nhi\r\n0\r\nHTTP/1.1 500 No\r\nX: y\r\n\r\nforged"),
        raw(
            "another protocol", .failure(.invalidResponse),
            "HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\nhi"),
        raw(
            "HTTP/2 in the clear", .failure(.invalidResponse),
            "HTTP/2 200\r\nContent-Length: 2\r\n\r\nhi"),
        raw(
            "an old radio station", .failure(.invalidResponse),
            "ICY 200 OK\r\nContent-Length: 2\r\n\r\nhi"),
        raw("a status of four digits", .failure(.invalidResponse), "HTTP/1.1 2000 OK\r\n\r\nhi"),
        raw("a head that is cut off", .failure(.unreachable), "HTTP/1.1 200 OK\r\nX: a\r\n"),
        raw("a head that is cut off in a line", .failure(.unreachable), "HTTP/1.1 200 OK\r\nX: a"),
        raw("nothing", .failure(.unreachable), ""),
        flood("fields without end", "HTTP/1.1 200 OK\r\n", "X: aaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n"),
        flood("a field without end", "HTTP/1.1 200 OK\r\nX: ", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
        flood("a status line without end", "HTTP/1.1 200 ", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
        flood("hints without end", "", "HTTP/1.1 100 Go\r\n\r\n"),
        flood("early hints without end", "", "HTTP/1.1 103 Hints\r\nLink: a\r\n\r\n"),
        flood(
            "trailers without end", chunks + "2\r\nhi\r\n0\r\n",
            "X: aaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n"),
        flood("a chunk's length without end", chunks, "00000000000000000000000000000000"),
        flood("zeros before it begins", "", "\u{0}\u{0}\u{0}\u{0}"),
        flood("line ends before it begins", "", "\r\n\r\n"),
    ]

    private static let gzip: [HostileAnswer] = [
        HostileAnswer(
            "gzip that was not asked for", .failure(.invalidResponse),
            Behaviour("hello") { $0.gzip = true }),
        field("gzip that is none", 200, .failure(.invalidResponse), "Content-Encoding", "gzip"),
        HostileAnswer(
            "64 MB in 64 KB of gzip", .failure(.invalidResponse),
            Behaviour("0000000000000000") {
                $0.copies = 4_194_304
                $0.gzip = true
            }),
    ]

    private static let chunks = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

    private static func refusedHead(_ name: String, _ field: String) -> HostileAnswer {
        raw(
            name, .failure(.invalidResponse),
            "HTTP/1.1 200 OK\r\n\(field)\r\nContent-Length: 2\r\n\r\nhi")
    }

    /// The first text once, then the second over and over until the client is gone. It must be
    /// neither accepted nor waited for until the time limit.
    private static func flood(_ name: String, _ first: String, _ rest: String) -> HostileAnswer {
        HostileAnswer(
            name, .failure(.invalidResponse),
            Behaviour {
                $0.raw = Data(first.utf8)
                $0.flood = Data(rest.utf8)
            })
    }

    private static let statusesBelow100: [HostileAnswer] = ["000", "001", "099"].map {
        raw(
            "status \($0)", .failure(.invalidResponse),
            "HTTP/1.1 \($0) OK\r\nContent-Length: 2\r\n\r\nhi")
    }

    private static let statuses: [HostileAnswer] = [
        HostileAnswer("200", .answer(200, "hello"), Behaviour("hello")),
        HostileAnswer("500", .answer(500, "no"), Behaviour("no") { $0.status = 500 }),
        HostileAnswer("999", .answer(999, "no"), Behaviour("no") { $0.status = 999 }),
        raw("204", .answer(204, ""), "HTTP/1.1 204 None\r\n\r\n"),
        raw("304", .answer(304, ""), "HTTP/1.1 304 Same\r\n\r\n"),
        raw(
            "hints before the answer", .answer(200, "hi"),
            "HTTP/1.1 100 Go\r\n\r\nHTTP/1.1 103 Hints\r\nLink: a\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"
        ),
        field("401 Basic", 401, .answer(401, "body"), "WWW-Authenticate", "Basic realm=\"x\""),
        field(
            "401 without realm", 401, .answer(401, "body"), "WWW-Authenticate", "Bearer error=\"x\""
        ),
        field(
            "401 Digest", 401, .answer(401, "body"), "WWW-Authenticate",
            "Digest realm=\"x\", nonce=\"y\""),
        field("401 nonsense", 401, .answer(401, "body"), "WWW-Authenticate", "realm="),
        HostileAnswer(
            "401 without challenge", .answer(401, "no"), Behaviour("no") { $0.status = 401 }),
        field("407", 407, .answer(407, "body"), "Proxy-Authenticate", "Basic realm=\"x\""),
        raw("status of letters", .failure(.invalidResponse), "HTTP/1.1 abc OK\r\n\r\nhi"),
        raw(
            "status of twenty digits", .failure(.invalidResponse),
            "HTTP/1.1 99999999999999999999 OK\r\n\r\nhi"),
    ]

    private static let redirects: [HostileAnswer] = [301, 302, 303, 307, 308].flatMap { status in
        [
            field("\(status) here", status, .answer(status), "Location", "/elsewhere"),
            field(
                "\(status) to another host", status, .answer(status), "Location",
                "https://other.example/x"),
            field("\(status) to a file", status, .answer(status), "Location", "file:///etc/passwd"),
            field(
                "\(status) to nonsense", status, .answer(status), "Location",
                "http://[::1%25x/?%zz#%"),
            HostileAnswer(
                "\(status) to nowhere", .answer(status), Behaviour { $0.status = status }),
        ]
    }

    private static let heads: [HostileAnswer] = [
        raw("no head", .failure(.invalidResponse), "just text\n"),
        raw("control characters", .failure(.invalidResponse), "\u{1}\u{2}\u{3}"),
        raw(
            "NUL in a field", .failure(.invalidResponse),
            "HTTP/1.1 200 OK\r\nX: a\u{0}b\r\nContent-Length: 2\r\n\r\nhi"),
        raw(
            "a field without name", .failure(.invalidResponse),
            "HTTP/1.1 200 OK\r\n: a\r\nContent-Length: 2\r\n\r\nhi"),
        raw(
            "HTTP/9.9", .failure(.invalidResponse), "HTTP/9.9 200 OK\r\nContent-Length: 2\r\n\r\nhi"
        ),
        raw("line feeds alone", .either, "HTTP/1.1 200 OK\nContent-Length: 2\n\nhi"),
        HostileAnswer(
            "a field of 2 MB", .either,
            Behaviour("x") { $0.fields = [["X", String(repeating: "a", count: 2_000_000)]] }),
        HostileAnswer(
            "5 000 fields", .either,
            Behaviour("x") { $0.fields = (0..<5_000).map { ["X-\($0)", "aaaaaaaaaaaaaaaa"] } }),
    ]

    private static let bodies: [HostileAnswer] = [
        HostileAnswer("end of the connection", .either, Behaviour { $0.hangUp = true }),
        HostileAnswer(
            "end in the middle of the body", .either,
            Behaviour("hello") {
                $0.declared = 100
                $0.closeAfter = 3
            }),
        raw(
            "a chunk of no number", .failure(.invalidResponse),
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhi\r\n"),
        raw(
            "a chunk past 64 bits", .failure(.invalidResponse),
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\nhi\r\n"),
        HostileAnswer("chunks", .answer(200, "hello"), Behaviour("hello") { $0.chunked = true }),
        HostileAnswer(
            "5 MB", .failure(.bodyTooLarge), Behaviour("0000000000000000") { $0.copies = 327_680 }),
        HostileAnswer(
            "5 MB in chunks", .failure(.bodyTooLarge),
            Behaviour("0000000000000000") {
                $0.copies = 327_680
                $0.chunked = true
            }),
        HostileAnswer(
            "without end", .failure(.bodyTooLarge),
            Behaviour(String(repeating: "0", count: 16_384)) { $0.endless = true }),
    ]
}
