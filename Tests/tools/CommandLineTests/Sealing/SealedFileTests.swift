// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Documentation/SEALED-FILE.md, held against files that Python made from it.
@Suite("The sealed file")
struct SealedFileTests {
    /// The fixtures of a version of the format.
    enum Version: CaseIterable {
        case one, two

        private var suffix: String { self == .one ? "" : "-2" }
        var key: String { "key\(suffix).sealed" }
        var passphrase: String { "passphrase\(suffix).sealed" }
        var pbkdf2: String { "pbkdf2\(suffix).sealed" }
        var plaintext: String { "plaintext\(suffix).txt" }
        var headerByteCount: Int { self == .one ? 58 : 77 }
        /// The least octets of a file.
        var leastByteCount: Int { self == .one ? 98 : 77 }
    }

    private func folder() throws -> CommandFolder {
        let folder = try CommandFolder()
        for name in [
            "key.sealed", "passphrase.sealed", "pbkdf2.sealed", "key-2.sealed",
            "passphrase-2.sealed", "pbkdf2-2.sealed", "seal.key", "passphrase.txt",
            "plaintext.txt", "plaintext-2.txt",
        ] {
            try folder.fixture(name)
        }
        return folder
    }

    private func open(
        _ sealed: [UInt8], _ folder: CommandFolder, _ option: String = "--key-file seal.key"
    )
        throws
        -> Outcome
    {
        try folder.signet(["open"] + option.split(separator: " ").map(String.init), input: sealed)
    }

    @Test("The known answers open")
    func knownAnswers() throws {
        let folder = try folder()
        for version in Version.allCases {
            let plaintext = try folder.read(version.plaintext)
            #expect(
                try open(folder.read(version.key), folder).output == plaintext, "\(version)")
            // A FIPS provider opens only the second.
            for name in [version.passphrase, version.pbkdf2] {
                #expect(
                    try open(folder.read(name), folder, "--passphrase-file passphrase.txt").output
                        == plaintext, "\(name)")
            }
        }
    }

    @Test(
        "A changed byte at the end is refused, and nothing is written",
        arguments: Version.allCases)
    func changedEnd(version: Version) throws {
        let folder = try folder()
        var sealed = try folder.read(version.key)
        sealed[sealed.count - 1] ^= 1
        #expect(try open(sealed, folder).failed(1, "authenticationFailure"))
    }

    @Test(
        "A bit changed anywhere is refused, and nothing is written", .tags(.commandLine),
        arguments: Version.allCases)
    func changedBits(version: Version) throws {
        let folder = try folder()
        let sealed = try folder.read(version.key)
        // Each byte of the header, and every third after it.
        for index in sealed.indices where index < version.headerByteCount || index % 3 == 0 {
            var changed = sealed
            changed[index] ^= 1 << UInt8(index % 8)
            let outcome = try open(changed, folder)
            let code = index < 8 ? "notSealed" : "authenticationFailure"
            if index == 8 {
                // Another mode: unknown, or a passphrase, which is not what --key-file gives.
                #expect(outcome.status != 0 && outcome.output.isEmpty, "\(outcome)")
            } else {
                #expect(outcome.failed(1, code), "byte \(index): \(outcome)")
            }
        }
        for mode: UInt8 in [0, 2, 3, 255] {
            var changed = sealed
            changed[8] = mode
            let outcome = try open(changed, folder)
            #expect(
                outcome.status != 0 && outcome.output.isEmpty && !outcome.wasKilled,
                "\(mode): \(outcome)")
        }
    }

    @Test(
        "A file cut off or extended anywhere is refused", .tags(.commandLine),
        arguments: Version.allCases)
    func changedLengths(version: Version) throws {
        let folder = try folder()
        let sealed = try folder.read(version.key)
        let least = version.leastByteCount
        for count in Array(stride(from: 0, to: least, by: 7)) + [8, 9, least - 1] {
            #expect(
                try open(Array(sealed.prefix(count)), folder).failed(1, "notSealed"),
                "\(count) bytes"
            )
        }
        for count in [least, least + 1, 98, 99, sealed.count - 1] {
            #expect(
                try open(Array(sealed.prefix(count)), folder).failed(1, "authenticationFailure"),
                "\(count) bytes")
        }
        #expect(try open(sealed + [0], folder).failed(1, "authenticationFailure"))
        #expect(try open(sealed + sealed, folder).failed(1, "authenticationFailure"))
        #expect(try open([0x0a] + sealed, folder).failed(1, "notSealed"))
    }

    @Test(
        "A file of version 1 that is cut off is refused before a passphrase is read or tried",
        arguments: [58, 97])
    func cutOffBeforeMessage(byteCount: Int) throws {
        let folder = try folder()
        let sealed = try Array(folder.read(Version.one.passphrase).prefix(byteCount))
        for words in ["/dev/null", "seal.key"] {
            let outcome = try open(sealed, folder, "--passphrase-file \(words)")
            #expect(outcome.failed(1, "notSealed"), "\(outcome)")
        }
    }

    @Test(
        "Another key, another passphrase and mixed parts are refused", .tags(.commandLine),
        arguments: Version.allCases)
    func otherKeys(version: Version) throws {
        let folder = try folder()
        let sealed = try folder.read(version.key)
        try folder.write("words", "another passphrase\n")
        let other = try folder.signet("seal --new-key other.key", input: "other").output
        #expect(try open(sealed, folder, "--key-file other.key").failed(1, "authenticationFailure"))
        #expect(
            try open(folder.read(version.passphrase), folder, "--passphrase-file words").failed(
                1, "authenticationFailure"))
        #expect(
            try open(Array(sealed.prefix(58) + other.dropFirst(58)), folder).failed(
                1, "authenticationFailure"))
        #expect(
            try open(Array(other.prefix(58) + sealed.dropFirst(58)), folder).failed(
                1, "authenticationFailure"))
        let mixed = try Array(folder.read(version.passphrase).prefix(26) + sealed.dropFirst(26))
        #expect(
            try open(mixed, folder, "--passphrase-file passphrase.txt").failed(
                1, "authenticationFailure"))
    }

    @Test(
        "A cost outside the limits is refused before anything is derived and before any prompt",
        .tags(.commandLine),
        arguments: [(2, 0), (2, 1), (2, 13), (2, 21), (2, 24), (2, 63), (2, 64), (2, 255)]
            + [(3, 0), (3, 101), (3, 255)] as [(UInt8, UInt8)])
    func cost(mode: UInt8, cost: UInt8) throws {
        let folder = try folder()
        for version in Version.allCases {
            var sealed = try folder.read(version.passphrase)
            sealed[8] = mode
            sealed[9] = cost
            // There is no terminal to ask at: the prompt would be another error. Seconds of
            // processor time are the limit.
            for option in ["--passphrase-file passphrase.txt", "--passphrase"] {
                let outcome = try folder.bash(
                    "ulimit -t 10; \"$SIGNET\" open \(option)", input: sealed)
                #expect(outcome.failed(1, "invalidParameter"), "\(version): \(outcome)")
            }
        }
    }

    @Test(
        "An accepted cost or a salt that is not the file's own is refused",
        .tags(.commandLine), arguments: Version.allCases)
    func changedParameters(version: Version) throws {
        let folder = try folder()
        let sealed = try folder.read(version.passphrase)
        for (index, value) in [(9, 15), (10, 0), (25, 0)] as [(Int, UInt8)] {
            var changed = sealed
            changed[index] = value
            #expect(
                try open(changed, folder, "--passphrase-file passphrase.txt").failed(
                    1, "authenticationFailure")
            )
        }
        // The mode is authenticated as well: 14 is a cost in both modes.
        var other = sealed
        other[8] = 3
        #expect(
            try open(other, folder, "--passphrase-file passphrase.txt").failed(
                1, "authenticationFailure"))
    }

    @Test("A file of one version is none of the other")
    func otherVersion() throws {
        let folder = try folder()
        for version in Version.allCases {
            var sealed = try folder.read(version.key)
            sealed[7] ^= 3
            #expect(try open(sealed, folder).failed(1, "authenticationFailure"), "\(version)")
        }
    }
}
