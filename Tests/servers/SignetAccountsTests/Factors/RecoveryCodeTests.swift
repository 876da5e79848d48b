// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import Testing

@Suite("Recovery codes", .serialized)
struct RecoveryCodeTests {
    @Test("Ten codes of six groups are generated, all different")
    func generated() throws {
        let texts = try RecoveryCode.generate().map(\.exposedText)
        #expect(Set(texts).count == 10)
        for text in texts {
            let groups = text.split(separator: "-")
            #expect(groups.count == 6 && groups.allSatisfy { $0.utf8.count == 4 })
            #expect(text.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz234567-".utf8.contains($0) })
        }
        for count in [Int.min, 0, 101] {
            #expect(throws: AccountError(.invalidParameter, "")) {
                try RecoveryCode.generate(count: count)
            }
        }
    }

    @Test("Case, hyphens and blanks do not matter")
    func spelling() throws {
        let code = try #require(try RecoveryCode.generate(count: 1).first)
        let hash = try code.hash()
        #expect(hash.count == 32)
        let text = code.exposedText
        for spelled in [
            text, text.uppercased(), text.replacing("-", with: ""), text.replacing("-", with: " "),
            "  \(text)\t",
        ] {
            #expect(try RecoveryCode(spelled)?.hash() == hash, "\(spelled)")
        }
        let other = try #require(try RecoveryCode.generate(count: 1).first)
        #expect(try other.hash() != hash)
    }

    @Test(
        "A malformed code is rejected",
        arguments: [
            "", "aaaa-aaaa-aaaa-aaaa", "aaaa-aaaa-aaaa-aaaa-aaaa-aaa",
            "aaaa-aaaa-aaaa-aaaa-aaaa-aaaaa", "aaaa-aaaa-aaaa-aaaa-aaaa-aaa1",
            "aaaa-aaaa-aaaa-aaaa-aaaa-aaa0", "аааа-aaaa-aaaa-aaaa-aaaa-aaaa",
            "aaaa–aaaa-aaaa-aaaa-aaaa-aaaa", "aaaa-aaaa-aaaa-aaaa-aaaa-aaa\0",
            "aaaa-aaaa-aaaa-aaaa-aaaa-aaaa" + String(repeating: "-", count: 100),
        ])
    func refused(text: String) {
        #expect(RecoveryCode(text) == nil)
    }

    @Test("Printing shows no code")
    func redacted() throws {
        let code = try #require(RecoveryCode("abcd-efgh-ijkl-mnop-qrst-uvwx"))
        var dumped = "\(code)"
        dump(code, to: &dumped)
        #expect(!dumped.contains("abcd"))
        #expect(code.exposedText == "abcd-efgh-ijkl-mnop-qrst-uvwx")
    }
}
