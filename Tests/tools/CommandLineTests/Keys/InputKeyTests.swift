// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite("Keys that standard input or a descriptor reads")
struct InputKeyTests {
    @Test(
        "No output replaces the file that the key comes from",
        arguments: [
            ("seal --key-file - --input plain --output seal.key", "< seal.key"),
            ("seal --key-file /dev/stdin --input plain --output ./seal.key", "< seal.key"),
            ("seal --key-file /dev/fd/3 --input plain --output seal.key", "3< seal.key"),
            ("open --key-file - --input sealed --output seal.key", "< seal.key"),
            ("seal --passphrase-file - --input plain --output seal.key", "< seal.key"),
            ("seal --passphrase-fd 0 --input plain --output seal.key", "< seal.key"),
            ("seal --passphrase-fd 3 --input plain --output seal.key", "3< seal.key"),
            ("jwk convert --key - --to public-jwk --output key.json", "< key.json"),
            ("jwk convert --key - --to public-pem --output hard.json", "< key.json"),
            ("audit --output key.json --sign -", "< key.json"),
            ("audit --html key.json --sign -", "< key.json"),
            ("audit --results a --sign -", "< a.jws"),
            ("audit --results a --sign -", "< a.sha256"),
        ])
    func kept(_ line: String, from input: String) throws {
        let folder = try CommandFolder()
        try folder.makeKeys()
        try folder.write("plain", "x")
        let sealed = try folder.signet("seal --new-key seal.key --input plain --output sealed")
        #expect(sealed.isGood, "\(sealed)")
        try folder.bash("ln key.json hard.json; cp key.json a.jws; cp key.json a.sha256")
        let before = try folder.names().map { try folder.read($0) }
        let outcome = try folder.bash("\"$SIGNET\" \(line) --force \(input)")
        #expect(outcome.failed(2, "usage"), "\(outcome)")
        #expect(outcome.errors.contains("would replace a file that holds a key"), "\(outcome)")
        #expect(try folder.names().map { try folder.read($0) } == before)
    }

    @Test("Other files are replaced, and a whole key may replace itself")
    func replaced() throws {
        let folder = try CommandFolder()
        try folder.makeKeys()
        try folder.write("other", "old")
        for line in ["--to public-jwk --output other", "--to pem --output key.json"] {
            let outcome = try folder.bash(
                "\"$SIGNET\" jwk convert --key - \(line) --force < key.json")
            #expect(outcome.isGood, "\(outcome)")
        }
        #expect(try folder.text("key.json").contains("PRIVATE KEY"))
    }
}
