// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetSignIn
import Testing

@Suite("Password hashes in PHC form", .serialized)
struct PasswordHashTests {
    static let salt = "c29tZXNhbHRzb21lc2FsdA"
    static let hash = "RdescudvJCsgt3ub+b5dWRWJTmaaJObGFDCVJuSkEXA"

    @Test(
        "A hash that is read is written the same, and not printed",
        arguments: [
            "$scrypt$ln=17,r=8,p=1$\(salt)$\(hash)", "$scrypt$ln=1,r=1,p=1$\(salt)$\(hash)",
            "$scrypt$ln=18,r=8,p=2$\(salt)$\(hash)", "$scrypt$ln=13,r=8,p=10$\(salt)$\(hash)",
            "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$\(hash)",
            "$argon2id$v=19$m=262144,t=4,p=16$\(salt)$\(hash)",
            "$pbkdf2-sha256$i=600000,l=32$\(salt)$\(hash)",
            "$pbkdf2-sha256$i=1000,l=32$\(salt)$\(hash)",
            "$pbkdf2-sha256$i=2400000,l=16$c29tZXNhbHQ$c29tZXNhbHRzb21lc2FsdA",
        ])
    func roundTrip(text: String) throws {
        let read = try PasswordHash(text)
        #expect(read.exposedText == text)
        #expect(try PasswordHash(read.exposedText) == read)
        var dumped = "\(read)"
        dump(read, to: &dumped)
        #expect(!dumped.contains("Rdesc") && !dumped.contains("69"))
    }

    @Test(
        "Excessive parameters are refused",
        arguments: [
            "$scrypt$ln=24,r=8,p=1$", "$scrypt$ln=19,r=8,p=1$", "$scrypt$ln=21,r=2,p=1$",
            "$scrypt$ln=63,r=8,p=1$", "$scrypt$ln=64,r=8,p=1$", "$scrypt$ln=999999999,r=8,p=1$",
            "$scrypt$ln=17,r=33,p=1$", "$scrypt$ln=17,r=999999999,p=999999999$",
            "$scrypt$ln=10,r=8,p=17$", "$scrypt$ln=18,r=8,p=3$", "$scrypt$ln=16,r=1,p=1$",
            "$argon2id$v=19$m=262145,t=1,p=1$", "$argon2id$v=19$m=16777216,t=1,p=1$",
            "$argon2id$v=19$m=999999999,t=999999999,p=999999999$",
            "$argon2id$v=19$m=65536,t=17,p=1$", "$argon2id$v=19$m=65536,t=3,p=17$",
            "$argon2id$v=19$m=262144,t=5,p=1$", "$argon2id$v=19$m=7,t=1,p=1$",
            "$argon2id$v=19$m=31,t=1,p=4$", "$pbkdf2-sha256$i=2400001,l=32$",
            "$pbkdf2-sha256$i=999,l=32$", "$pbkdf2-sha256$i=999999999,l=32$",
        ])
    func bombs(head: String) {
        #expect(throws: AccountError(.invalidPasswordHash, "")) {
            try PasswordHash(head + Self.salt + "$" + Self.hash)
        }
    }

    @Test(
        "Only the one canonical spelling is accepted",
        arguments: [
            "", "$", "$$$$", "$$$$$", "password", "scrypt$ln=17,r=8,p=1$\(salt)$\(hash)",
            "$scrypt$ln=17,r=8,p=1$\(salt)$\(hash)$", "$scrypt$ln=17,r=8,p=1$\(salt)$",
            "$scrypt$ln=17,r=8,p=1$\(salt)", "$scrypt$ln=17,r=8,p=1$$\(hash)",
            "$scrypt$ln=17,r=8$\(salt)$\(hash)", "$scrypt$r=8,ln=17,p=1$\(salt)$\(hash)",
            "$scrypt$ln=17,r=8,p=1,x=2$\(salt)$\(hash)", "$scrypt$ln=017,r=8,p=1$\(salt)$\(hash)",
            "$scrypt$ln=+17,r=8,p=1$\(salt)$\(hash)", "$scrypt$ln=-1,r=8,p=1$\(salt)$\(hash)",
            "$scrypt$ln=,r=8,p=1$\(salt)$\(hash)", "$scrypt$ln=0,r=8,p=1$\(salt)$\(hash)",
            "$scrypt$ln=17,r=8,p=1 $\(salt)$\(hash)", "$scrypt$ln=17, r=8,p=1$\(salt)$\(hash)",
            "$scrypt$ln=٧,r=8,p=1$\(salt)$\(hash)", "$Scrypt$ln=17,r=8,p=1$\(salt)$\(hash)",
            "$scrypt$ln=17,r=8,p=1$\(salt)==$\(hash)", "$scrypt$ln=17,r=8,p=1$\(salt)$\(hash)=",
            "$scrypt$ln=17,r=8,p=1$\(salt)$RdescudvJCsgt3ub-b5dWRWJTmaaJObGFDCVJuSkEXA",
            // Bits at the end that are not zero, a short salt, a short hash, a long one.
            "$scrypt$ln=17,r=8,p=1$\(salt)$RdescudvJCsgt3ub+b5dWRWJTmaaJObGFDCVJuSkEXB",
            "$scrypt$ln=17,r=8,p=1$c29tZXN$\(hash)", "$scrypt$ln=17,r=8,p=1$\(salt)$AAAA",
            "$scrypt$ln=17,r=8,p=1$\(salt)$\(String(repeating: "A", count: 88))",
            "$scrypt$ln=17,r=8,p=1$\(String(repeating: "A", count: 1 << 20))$\(hash)",
            "$argon2i$v=19$m=65536,t=2,p=1$\(salt)$\(hash)",
            "$argon2d$v=19$m=65536,t=2,p=1$\(salt)$\(hash)",
            "$argon2id$v=16$m=65536,t=2,p=1$\(salt)$\(hash)",
            "$argon2id$m=65536,t=2,p=1$\(salt)$\(hash)",
            "$argon2id$v=19$m=65536,t=2,p=1,keyid=1$\(salt)$\(hash)",
            "$pbkdf2-sha256$i=600000$\(salt)$\(hash)",
            "$pbkdf2-sha256$i=600000,l=31$\(salt)$\(hash)",
            "$pbkdf2-sha256$i=600000,l=33$\(salt)$\(hash)",
            "$pbkdf2-sha256$i=600000,l=999999999$\(salt)$\(hash)",
            "$pbkdf2-sha256$l=32,i=600000$\(salt)$\(hash)",
            "$pbkdf2-sha512$i=600000,l=32$\(salt)$\(hash)",
            "$pbkdf2$i=600000,l=32$\(salt)$\(hash)", "$pbkdf2-sha256$600000$\(salt)$\(hash)",
            "$2b$12$abcdefghijklmnopqrstuuMBmbEJUJiPbD5wzUzSWbDUJjkRCzKsm",
        ])
    func refused(text: String) {
        #expect(throws: AccountError(.invalidPasswordHash, "")) { try PasswordHash(text) }
    }

    @Test("A password has 1 to 1,024 bytes without a zero byte, and is never cut off")
    func lengths() throws {
        for text in [
            "", String(repeating: "a", count: 1025), String(repeating: "é", count: 513), "\0",
            "12345678\0", "1234\05678",
        ] {
            #expect(throws: SignInInputError(.invalidPassword, "")) { try Password(text) }
        }
        for text in ["a", " ", "\u{1}", String(repeating: "a", count: 1024)] {
            _ = try Password(text)
        }
        var dumped = "\(try Password("secret"))"
        dump(try Password("secret"), to: &dumped)
        #expect(!dumped.contains("secret"))
    }
}
