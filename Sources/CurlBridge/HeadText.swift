// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform

/// What may stand in a header field that is sent (RFC 9110, section 5).
enum HeadText {
    static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(isToken)
    }

    /// No control character: a line end would begin another field.
    static func isValue(_ text: String) -> Bool {
        text.utf8.allSatisfy { ($0 >= 0x20 && $0 != 0x7f) || $0 == 0x09 }
    }

    static func isToken(_ octet: UInt8) -> Bool {
        octet.isDigit || octet.isLetter || "!#$%&'*+-.^_`|~".utf8.contains(octet)
    }
}

extension CurlRequest {
    /// What is sent beside what HTTP needs. An empty one keeps libcurl from sending its own.
    var sentFields: [(name: String, value: String)] {
        var all =
            fields + [("Accept-Encoding", "identity"), ("Connection", "close"), ("Expect", "")]
        if let body { all.append(("Content-Type", body.contentType)) }
        return all
    }
}

extension Duration {
    /// Whole milliseconds, the part of one counted as one, in [1, limit].
    func milliseconds(atMost limit: Int) -> Int {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 1 }
        guard seconds < limit / 1000 else { return limit }
        return min(limit, Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000) + 1)
    }
}
