// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetCrypto
import SignetJOSE
import SignetVault
import Testing

/// What commands report on success (review S6).
@Suite("signet vault reports what it did")
struct VaultAnswerTests {
    @Test("Success prints one line, or one object")
    func lines() throws {
        let folder = try CommandFolder()
        try folder.makeVault()
        func line(_ arguments: String) throws -> String {
            let outcome = try folder.vault(arguments)
            #expect(outcome.isGood, "\(arguments): \(outcome)")
            return outcome.line
        }
        let set = try folder.vault(["set", "--service", "s", "--account", "a"], input: [0x76])
        #expect(set.line == "kept service 's', account 'a'")
        #expect(try line("rotate data") == "rotated: 1 item under a new data key")
        #expect(try folder.vault("rotate data --json").json["items"] == .integer(1))
        #expect(try line("rotate root") == "rotated: a new root key, 1 key slot kept")
        let slot = try line("slot add --new-key-file second.key")
        let root = try folder.vault("rotate root --drop-others --json").json
        #expect(root["slots"] == .integer(1) && root["dropped"] == .integer(1))
        #expect(!slot.isEmpty)
        let third = try line("slot add --new-key-file third.key")
        #expect(try line("slot remove \(third)") == "removed slot \(third)")
        #expect(
            try folder.signet("vault backup --vault vault.signet --output b.signet").line
                == "made b.signet")
        #expect(
            try folder.signet("vault restore --vault vault.signet --input b.signet").line
                == "restored vault.signet")
        #expect(try line("remove --service s --account a") == "removed service 's', account 'a'")
        #expect(
            try line("remove --service s --account a --if-present")
                == "not there: service 's', account 'a'")
        #expect(try line("passwd --new-key-file other.key").hasPrefix("changed: the slot is "))
        let compact = try folder.signet("vault compact --vault vault.signet --key-file other.key")
        #expect(compact.isGood && compact.line.hasPrefix("compacted: "), "\(compact)")
        let json = try folder.signet(
            "vault compact --vault vault.signet --key-file other.key --json"
        )
        .json
        #expect(json["freed"] == .integer(0))
    }

    @Test("An empty result is reported on standard error")
    func nothing() throws {
        let folder = try CommandFolder()
        try folder.makeVault()
        #expect(try folder.vault("list").errors == "signet: the store is empty\n")
        try folder.keep("value", "s", "a")
        #expect(try folder.vault("list").isGood)
        for arguments in ["list --service s*", "list --service x --group g", "search x"] {
            let outcome = try folder.vault(arguments)
            #expect(outcome.status == 0 && outcome.errors.contains("nothing found"), "\(outcome)")
            #expect(try folder.vault(arguments + " --json").isGood, "\(arguments)")
        }
    }

    @Test("The library and the command write the same key files and read every form")
    func keyFiles() throws {
        let folder = try CommandFolder()
        #expect(try folder.signet("vault init --vault vault.signet --new-key-file a.key").isGood)
        let sealed = try folder.signet(
            ["seal", "--new-key", "b.key", "--output", "s"], input: [0x76])
        #expect(sealed.isGood, "\(sealed)")
        _ = try KeyFileUnlock.create(at: folder.path("c.key"))
        for name in ["a.key", "b.key", "c.key"] {
            let text = try folder.text(name)
            #expect(text.utf8.count == 45 && text.hasSuffix("=\n"), "\(name)")
            #expect(Data(base64Encoded: String(text.dropLast()))?.count == 32, "\(name)")
        }
        let standard = String(try folder.text("a.key").dropLast())
        let url = standard.replacingOccurrences(of: "+", with: "-").replacingOccurrences(
            of: "/", with: "_")
        let forms = [standard, String(standard.dropLast()), url, String(url.dropLast())]
        for form in forms + forms.map({ $0 + "\n" }) {
            try folder.write("form.key", form)
            let vault = try FileVault.open(at: folder.path("vault.signet"))
            #expect(throws: Never.self) {
                try vault.unlock(with: KeyFileUnlock(path: folder.path("form.key")))
            }
            vault.close()
            let verify = try folder.signet("vault verify --vault vault.signet --key-file form.key")
            #expect(verify.isGood, "\(verify)")
        }
    }
}
