// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import TestSupport
import Testing

/// What can be wrong where an issuer's keys should be, and what a refresh says about it.
struct KeyFault: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let behaviour: Behaviour
    let code: KeySourceError.Code

    private init(_ name: String, _ code: KeySourceError.Code, _ behaviour: Behaviour) {
        (testDescription, self.behaviour, self.code) = (name, behaviour, code)
    }

    private static func redirect(_ name: String, _ location: String) -> KeyFault {
        KeyFault(
            name, .redirect,
            Behaviour {
                $0.status = 302
                $0.fields = [["Location", location]]
            })
    }

    static let all: [KeyFault] = [
        KeyFault("500", .status, Behaviour("down") { $0.status = 500 }),
        KeyFault("404", .status, Behaviour("{\"keys\":[]}") { $0.status = 404 }),
        KeyFault(
            "HTML with 200", .invalidDocument,
            Behaviour("<html>Log in to the network</html>") {
                $0.fields = [["Content-Type", "text/html"]]
            }),
        KeyFault("an empty body", .invalidDocument, Behaviour("")),
        KeyFault("an empty set", .noUsableKeys, Behaviour("{\"keys\":[]}")),
        KeyFault("no usable key", .noUsableKeys, Behaviour("{\"keys\":[{\"kty\":\"NEW\"}]}")),
        KeyFault(
            "two members \"keys\"", .invalidDocument, Behaviour("{\"keys\":[],\"keys\":[]}")),
        KeyFault("5 MB", .tooLarge, Behaviour("{\"keys\":[]}     ") { $0.copies = 327_680 }),
        KeyFault(
            "without end", .tooLarge,
            Behaviour(String(repeating: " ", count: 16_384)) { $0.endless = true }
        ),
        // It is refused for its coding, which no one requested.
        KeyFault(
            "64 MB in gzip", .unreachable,
            Behaviour("0000000000000000") {
                $0.copies = 4_194_304
                $0.gzip = true
            }),
        KeyFault("end of the connection", .unreachable, Behaviour { $0.hangUp = true }),
        KeyFault(
            "end in the middle", .unreachable,
            Behaviour("{\"keys\":[]}") {
                $0.declared = 4_000
                $0.closeAfter = 5
            }),
        KeyFault("no HTTP", .unreachable, .raw("220 mail.example ESMTP\r\n")),
        redirect("a redirect to another host", "https://other.example/keys"),
        redirect("a redirect to this machine by another name", "http://localhost:1/keys"),
        redirect("a redirect to a file", "file:///etc/passwd"),
        redirect("a redirect to itself", Issuer.keysPath),
        redirect("a redirect to nonsense", "http://[::1%25x/?%zz"),
        KeyFault("a redirect to nowhere", .redirect, Behaviour { $0.status = 302 }),
        KeyFault("no answer", .timedOut, Behaviour { $0.hold = "never" }),
        KeyFault(
            "half an answer", .timedOut, Behaviour("{\"keys\":[]}") { $0.holdBody = "never" }),
    ]
}
