// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import TestSupport
import Testing

@Suite("Requests of a transport")
struct TransportRequestTests {
    @Test("The caller's field is added")
    func field() throws {
        for (name, value) in [
            ("apikey", "a"), ("X-Client-Info", "b c d"), ("Prefer", "return=minimal"),
            ("!#$%&'*+-.^_`|~1", "~"), (String(repeating: "n", count: 256), "!"),
            ("X", String(repeating: "v", count: 8_192)), ("Range", "bytes=0-1"), ("Tea", "x"),
            ("Proxy", "x"), ("Content-Encoding", "gzip"), ("Accept-Language", "de"),
        ] {
            let field = try TransportRequest.Field(name: name, value: value)
            #expect(field.name.utf8.elementsEqual(name.utf8))
            #expect(field.value.utf8.elementsEqual(value.utf8))
        }
    }

    @Test("A field that forges another, or is the transport's own, is refused")
    func refused() {
        let fields: [(String, String)] = [
            ("", "a"), ("a b", "c"), ("a:", "c"), ("a\r\nb", "c"), ("a\0", "c"), (":path", "c"),
            ("ä", "c"), ("a\u{301}", "c"), (String(repeating: "n", count: 257), "c"),
            ("a", ""), ("a", " b"), ("a", "b "), ("a", "\tb"), ("a", "b\t"), ("a", " "),
            ("a", "b\r\nc: d"), ("a", "b\nc"), ("a", "b\rc"), ("a", "b\0c"), ("a", "b\u{7f}"),
            ("a", "b\tc"),
            ("a", "bä"), ("a", String(repeating: "v", count: 8_193)),
        ]
        let reserved = [
            "Accept", "ACCEPT-ENCODING", "authorization", "Connection", "Content-Length",
            "content-type", "Cookie", "Cookie2", "Expect", "hOST", "HTTP2-Settings", "Keep-Alive",
            "TE", "Trailer", "Transfer-Encoding", "Upgrade", "Proxy-Authorization",
            "proxy-connection", "PROXY-",
        ]
        for (name, value) in fields + reserved.map({ ($0, "x") }) {
            #expect(throws: IdentityConfigurationError(.invalidField, ""), "\(name): \(value)") {
                try TransportRequest.Field(name: name, value: value)
            }
        }
    }

    @Test("Printing shows no value")
    func printed() throws {
        let request = TransportRequest(
            url: try EndpointURL("https://api.example/a"), method: .put,
            body: TransportRequest.Body(Array("body-secret".utf8), contentType: "type-secret"),
            accept: "accept-secret", authorization: "authorization-secret",
            fields: [try .init(name: "X-Name-secret", value: "value-secret")])
        var dumped = ""
        dump(
            [request, request.body as Any, request.fields, request.sentFields] as [Any], to: &dumped
        )
        for text in [
            dumped, "\(request)", String(reflecting: request), "\(request.fields)",
            "\(String(describing: request.body))",
        ] {
            #expect(!text.contains("secret"), "\(text)")
        }
        #expect(request.description == "TransportRequest(PUT https://api.example/a, redacted)")
    }

    @Test("A custom transport sees what to send")
    func sent() throws {
        let url = try EndpointURL("https://api.example/a")
        func lines(_ request: TransportRequest) -> [String] {
            request.sentFields.map { "\($0.name): \($0.value)" }
        }
        #expect(
            lines(TransportRequest(url: url)) == ["User-Agent: signet", "Accept: application/json"])
        let full = TransportRequest(
            url: url, method: .post, body: TransportRequest.Body([], contentType: "a/b"),
            accept: "c/d",
            authorization: "Bearer e",
            fields: [try .init(name: "user-agent", value: "f"), try .init(name: "g", value: "h")])
        #expect(
            lines(full) == [
                "Accept: c/d", "Authorization: Bearer e", "Content-Type: a/b", "user-agent: f",
                "g: h",
            ])
        #expect(TransportRequest.Method.all.filter(\.announcesEmptyBody) == [.post, .put, .patch])
    }
}
