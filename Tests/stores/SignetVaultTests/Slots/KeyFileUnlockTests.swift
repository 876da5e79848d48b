// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetCrypto
import SignetMemory
import SignetVault
import TestSupport
import Testing

@Suite("Unlock with a key file")
struct KeyFileUnlockTests {
    private static let key = [UInt8](100..<132)
    private static let base64 = Data(key).base64EncodedString()

    private func read(_ bytes: [UInt8], mode: Int = 0o600) throws -> [UInt8]? {
        try UnlockSample.withFolder { folder in
            try UnlockSample.write(bytes, folder + "/key", mode: mode)
            return try UnlockSample.key(
                KeyFileUnlock(path: folder + "/key"), UnlockSample.slot(.rawKey))
        }
    }

    @Test("Any 32 raw bytes are a key, including a line end")
    func raw() throws {
        #expect(try read(Self.key) == Self.key)
        let ending = [UInt8](0..<30) + [13, 10]
        #expect(try read(ending) == ending)
    }

    @Test("base64 is a key, with or without padding and a line end", arguments: ["", "\n", "\r\n"])
    func text(end: String) throws {
        #expect(try read(Array((Self.base64 + end).utf8)) == Self.key)
        #expect(try read(Array((Self.base64.dropLast() + end).utf8)) == Self.key)
    }

    @Test("Both base64 alphabets are read as by Foundation")
    func alphabets() throws {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<50 {
            let key = random.bytes(32)
            let text = Data(key).base64EncodedString()
            #expect(try read(Array(text.utf8)) == key)
            let urlText = text.replacing("+", with: "-").replacing("/", with: "_").replacing(
                "=", with: "")
            #expect(try read(Array(urlText.utf8)) == key)
        }
    }

    @Test(
        "Anything else is refused",
        arguments: [
            "", "x", String(base64.dropLast(2)), base64 + "=", base64 + "\n\n", base64 + " ",
            " " + base64,
            base64 + "\r", "!" + base64.dropFirst(), base64.dropLast(2) + "B=",
            base64.dropLast(2) + "==",
            String(repeating: "A", count: 44), hex(key), String(repeating: "x", count: 31),
            String(repeating: "x", count: 33), String(repeating: "y", count: 5000),
        ] as [String])
    func invalid(text: String) {
        #expect(FormatSample.code { _ = try read(Array(text.utf8)) } == .invalidValue)
    }

    @Test("A key of one repeated byte is refused", arguments: [0, 0x41, 0xff] as [UInt8])
    func constant(byte: UInt8) {
        #expect(
            FormatSample.code { _ = try read([UInt8](repeating: byte, count: 32)) } == .invalidValue
        )
        #expect(
            FormatSample.code {
                _ = try read(Array((String(repeating: "A", count: 43) + "=").utf8))
            }
                == .invalidValue)
    }

    @Test(
        "A file open to its group or others is refused, with advice",
        arguments: [
            0o640, 0o620, 0o604, 0o602, 0o644, 0o666, 0o777,
        ])
    func permissions(mode: Int) throws {
        try UnlockSample.withFolder { folder in
            let path = folder + "/key"
            try UnlockSample.write(Self.key, path, mode: mode)
            let error = #expect(throws: StoreError.self) {
                try UnlockSample.newSlot(KeyFileUnlock(path: path))
            }
            #expect(error?.code == .insecureFile)
            #expect(error?.message.contains("chmod 600 '\(path)'") == true)
            // A new key in its place would open nothing.
            #expect(error?.message.contains("new key") == false)
            #expect(error?.message.contains("keep this file") == true)
        }
        for good in [0o600, 0o400, 0o700] { #expect(try read(Self.key, mode: good) == Self.key) }
    }

    @Test("The mode of a file that is no key is not to be changed: it may be another program's")
    func otherFile() throws {
        try UnlockSample.withFolder { folder in
            try UnlockSample.write(
                Array("127.0.0.1 localhost\n".utf8), folder + "/hosts", mode: 0o644)
            let error = #expect(throws: StoreError.self) {
                try UnlockSample.newSlot(KeyFileUnlock(path: folder + "/hosts"))
            }
            #expect(error?.code == .invalidValue && error?.message.contains("chmod") == false)
        }
    }

    @Test("A missing file, a folder and an empty path are missing or unavailable, never absent")
    func missing() throws {
        try UnlockSample.withFolder { folder in
            let paths: [(String, StoreError.Code)] = [
                (folder + "/none", .missingKeyFile), (folder + "/none/key", .missingKeyFile),
                ("", .missingKeyFile), (folder, .unavailable), ("a\0b", .unavailable),
            ]
            for (path, wanted) in paths {
                let code = FormatSample.code {
                    _ = try UnlockSample.newSlot(KeyFileUnlock(path: path))
                }
                #expect(code == wanted, "\(path)")
            }
        }
    }

    @Test("A created file holds a new key in base64 with mode 0600, and replaces nothing")
    func create() throws {
        try UnlockSample.withFolder { folder in
            let path = folder + "/key"
            let made = try KeyFileUnlock.create(at: path)
            #expect(made.path == path)
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
            let text = try String(contentsOfFile: path, encoding: .utf8)
            #expect(text.utf8.count == 45 && text.hasSuffix("=\n"))
            let key = try #require(Data(base64Encoded: String(text.dropLast())))
            #expect(try UnlockSample.key(made, UnlockSample.slot(.rawKey)) == Array(key))
            #expect(try UnlockSample.opensItsOwnSlot(made))

            #expect(FormatSample.code { _ = try KeyFileUnlock.create(at: path) } == .alreadyExists)
            #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
            let other = try KeyFileUnlock.create(at: folder + "/other")
            #expect(try String(contentsOfFile: other.path, encoding: .utf8) != text)
            #expect(
                FormatSample.code { _ = try KeyFileUnlock.create(at: folder + "/no/key") }
                    == .unavailable)
            #expect(
                FormatSample.code { _ = try KeyFileUnlock.create(at: folder) } == .alreadyExists)
        }
    }

    @Test(
        "Other kinds of slots are ignored, and the file is not read",
        arguments: UnlockSample.otherKinds)
    func otherKinds(kind: KeySlot.Kind) throws {
        guard kind != .rawKey else { return }
        #expect(
            try UnlockSample.key(KeyFileUnlock(path: "/nonexistent"), UnlockSample.slot(kind))
                == nil)
    }

    @Test("An error names the file and none of its content")
    func redaction() throws {
        try UnlockSample.withFolder { folder in
            let path = folder + "/key"
            try UnlockSample.write(Array("s3cr3t-that-is-no-key".utf8), path)
            let error = #expect(throws: StoreError.self) {
                try UnlockSample.newSlot(KeyFileUnlock(path: path))
            }
            #expect(error.map { !"\($0)".contains("s3cr3t") } == true)
        }
    }
}
