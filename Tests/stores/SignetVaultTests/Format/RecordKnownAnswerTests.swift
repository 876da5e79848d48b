// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetMemory
import SignetVault
import TestSupport
import Testing

@Suite("Vault format: known answers")
struct RecordKnownAnswerTests {
    @Test("A key's name matches")
    func kid() throws {
        #expect(hex(try FormatSample.vaultKey().id) == "4f91d5e7d801f0bc7980a3a41d28b21c")
    }

    /// The ring's names key cannot be set from outside: the id is computed here from its parts.
    @Test("An item's id matches")
    func itemID() throws {
        var message: [UInt8] = [1]
        for text in ["generic", "", "example.com", "alice"] {
            message += [0, 0, 0, UInt8(text.utf8.count)] + Array(text.utf8)
        }
        let code = try MACKey(FormatSample.key(3), hash: .sha256).authenticationCode(for: message)
        #expect(code == FormatSample.itemID)
        let ring = try VaultKeys.known(names: FormatSample.key(3), root: FormatSample.root())
        #expect(try ring.itemID(for: FormatSample.itemKey) == FormatSample.itemID)
    }

    @Test("A sealed value matches")
    func value() throws {
        let key = try FormatSample.vaultKey()
        let sealed = try FormatSample.sealPadded(
            Array("hunter2".utf8), nonce: FormatSample.nonce, with: key)
        #expect(hex(sealed) == hex(bytes(FormatSample.value)))
        #expect(
            try FormatSample.openPadded(bytes(FormatSample.value), with: key)
                == Array("hunter2".utf8))
    }

    @Test("Associated data is 88 bytes, each in its place")
    func associatedData() throws {
        let data = try #require(
            AssociatedData.make(
                .bucket, vaultID: FormatSample.vaultID, keyID: [UInt8](repeating: 0xee, count: 16),
                subject: [0x0a, 0xbc], generation: 0x0102_0304_0506_0708))
        #expect(
            hex(data)
                == "5349474e45545631" + "05" + "01" + "0000" + "000102030405060708090a0b0c0d0e0f"
                + String(repeating: "ee", count: 16) + String(repeating: "00", count: 30) + "0abc"
                + "0102030405060708" + "00000000")
    }

    @Test("A slot is made and opened with its passphrase")
    func slot() throws {
        let salt = [UInt8](repeating: 5, count: 32)
        let parameters = SlotParameters.scrypt(salt: salt, logCost: 14)
        let method = PassphraseUnlock("correct horse")
        let id = [UInt8](repeating: 0, count: 16)
        let asked = KeySlot(
            id: id, vaultID: FormatSample.vaultID, kind: parameters.kind,
            parameters: parameters.bytes)
        let key = try #require(try method.keyEncryptionKey(for: asked))
        let made = try SlotRecord.make(
            NewKeySlot(kind: parameters.kind, parameters: parameters.bytes, keyEncryptionKey: key),
            id: id,
            root: FormatSample.root(), nonce: FormatSample.nonce)
        #expect(hex(made.bytes) == hex(bytes(FormatSample.slot)))

        let read = try SlotRecord(parsing: bytes(FormatSample.slot), rowID: id)
        #expect(read.keySlot(vaultID: FormatSample.vaultID) == asked)
        let root = try read.openRoot(with: key, vaultID: FormatSample.vaultID)
        #expect(root.map { FormatSample.exposed($0) } == [UInt8](repeating: 9, count: 32))
    }

    @Test("The schema and the database header's numbers match")
    func schema() {
        #expect(VaultFormat.applicationID == 0x5356_4C54)
        #expect(VaultFormat.schema.count == 8)
        #expect(
            VaultFormat.schema.first { $0.name == "item" }?.sql
                == "CREATE TABLE item(id BLOB PRIMARY KEY,grp BLOB NOT NULL,kid BLOB NOT NULL,gen INTEGER NOT NULL,v INTEGER NOT NULL,meta BLOB NOT NULL,vt BLOB NOT NULL) WITHOUT ROWID"
        )
        #expect(Set(VaultFormat.schema.map(\.name)).count == 8)
    }

    @Test("The bucket of an item is its first 12 bits")
    func bucket() {
        #expect(FormatSample.bucket(FormatSample.itemID) == 0xb61)
        #expect(FormatSample.bucket([1, 2]) == nil)
    }
}
