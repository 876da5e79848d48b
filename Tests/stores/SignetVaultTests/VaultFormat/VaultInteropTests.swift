// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetCrypto
import SignetVault
import TestSupport
import Testing

@Suite("The other implementation of the vault's format is installed", .tags(.secondImplementation))
struct Signetv1AvailabilityTests {
    @Test(
        "It is there where CI requires it",
        .enabled(if: Signetv1.isRequired, "skipping is allowed"))
    func required() { #expect(Signetv1.isAvailable, "\(Signetv1.absence)") }
}

@Suite(
    "Vaults between this implementation and the other",
    .enabled(if: Signetv1.isAvailable, "\(Signetv1.absence)"), .tags(.secondImplementation))
struct VaultInteropTests {
    private static let key = [UInt8](repeating: 0x21, count: 32)
    private static let described = ["rawKey": hex(key)]
    private static let method = TestKey(kind: .rawKey, octets: key)

    /// Items of all kinds.
    private static let items: [(ItemKey, SecretValue, ItemDetails)] = [
        (ItemKey(service: "s", account: ""), SecretValue(bytes: []), ItemDetails()),
        (
            ItemKey(
                service: "example.com", account: "alice", itemClass: .internet, accessGroup: "team"),
            SecretValue("hunter2"),
            ItemDetails(
                label: "L", comment: "two\nlines",
                attributes: ["b": "2", "a": "1", "é": "", "B": "3"])
        ),
        (
            ItemKey(service: "Gru\u{308}ße", account: "\u{1f511}", itemClass: .token),
            SecretValue(bytes: 0...255), ItemDetails()
        ),
        (
            ItemKey(service: "Gr\u{fc}ße", account: "\u{1f511}", itemClass: .token),
            SecretValue("composed"), ItemDetails()
        ),
        (ItemKey(service: "zero", account: "a\0b"), SecretValue("z"), ItemDetails()),
        (
            ItemKey(service: "long", account: "5 KiB", itemClass: .certificate),
            SecretValue(bytes: (0..<5120).map { UInt8($0 % 251) }), ItemDetails()
        ),
        (
            ItemKey(service: "long", account: "1 MB", itemClass: .key),
            SecretValue(bytes: (0..<1_000_003).map { UInt8($0 % 253) }), ItemDetails()
        ),
    ]

    @Test("The document's known answers are the other implementation's too")
    func knownAnswers() throws {
        let output = try Signetv1.run("signetv1", ["known-answers"])
        #expect(String(decoding: output, as: UTF8.self) == "all known answers match\n")
    }

    @Test("A vault made here is verified and read there")
    func swiftToPython() throws {
        let folder = try FixtureFolder()
        let path = "\(folder.path)/made.vault"
        var options = VaultOptions(level: .strict)
        options.clock = .fixed(secondsSince1970: 1_700_000_000.123)
        let vault = try FileVault.create(at: path, with: Self.method, options: options)
        for (key, value, details) in Self.items {
            _ = try vault.set(value, for: key, details: details)
        }
        _ = try vault.addSlot(PassphraseUnlock("a passphrase", derivation: .scrypt(logCost: 10)))
        _ = try vault.addSlot(
            PassphraseUnlock("by pbkdf2", derivation: .pbkdf2(iterations: 100_000)))
        let ways = [Self.described, ["passphrase": "a passphrase"], ["passphrase": "by pbkdf2"]]
        for way in ways {
            let answers = try Signetv1.batch(
                path, way, [Step("verify")] + Self.items.map { Self.get($0.0) })
            #expect(answers[0].findings == [])
            for ((key, value, details), answer) in zip(Self.items, answers.dropFirst()) {
                #expect(answer.value == hex(value.octets), "\(key): \(answer)")
                #expect(answer.label == details.label)
                #expect(answer.comment == details.comment)
                #expect(answer.attributes == details.attributes)
                #expect(answer.type == value.type.rawValue)
                #expect(answer.created == 1_700_000_000_123)
                #expect(answer.modified == 1_700_000_000_123)
            }
        }
    }

    @Test("A vault made there is read, written and rotated here, and verified there again")
    func pythonToSwift() throws {
        let folder = try FixtureFolder()
        let path = "\(folder.path)/made.vault"
        let steps = Self.items.map { Self.set($0.0, $0.1, $0.2) }
        var rotation = Step("rotateDataKey")
        rotation.stopAfter = 2
        let made = try Signetv1.batch(path, Self.described, create: true, steps + [rotation])
        #expect(made.allSatisfy { $0.error == nil })
        let vault = try openVault(path, Self.method, level: .strict)
        #expect(try vault.verify().findings == [])
        #expect(try vault.verify().dataKeyCount == 2)
        for (key, value, details) in Self.items {
            let entry = try #require(try vault.entry(key))
            #expect(entry.value == value, "\(key)")
            #expect(entry.item.details == details)
        }
        let new = ItemKey(service: "s", account: "written here")
        _ = try vault.set(SecretValue("new"), for: new, details: nil)
        #expect(try vault.remove(Self.items[0].0))
        try vault.rotateDataKey()
        try vault.rotateRootKey(keeping: [Self.method])
        #expect(try vault.verify().dataKeyCount == 1)
        let answers = try Signetv1.batch(
            path, Self.described,
            [Step("verify"), Self.get(new), Self.get(Self.items[0].0), Self.get(Self.items[1].0)])
        #expect(answers[0].findings == [])
        #expect(answers[1].value == hex(Array("new".utf8)))
        #expect(answers[2].absent == true)
        #expect(answers[3].value == hex(Array("hunter2".utf8)))
    }

    @Test("Both write in turn with the vault open here, and each reads the other's items")
    func alternately() throws {
        let folder = try FixtureFolder()
        let path = "\(folder.path)/made.vault"
        let vault = try FileVault.create(
            at: path, with: Self.method, options: VaultOptions(level: .strict))
        let shared = ItemKey(service: "shared", account: "counter")
        for round in 0..<6 {
            _ = try vault.set(SecretValue("swift \(round)"), for: shared, details: nil)
            _ = try vault.set(
                SecretValue("s"), for: ItemKey(service: "s", account: "\(round)"), details: nil)
            var steps = [
                Self.get(shared), Self.set(shared, SecretValue("python \(round)"), ItemDetails()),
            ]
            steps.append(
                Self.set(
                    ItemKey(service: "p", account: "\(round)"), SecretValue("p"), ItemDetails()))
            var slot = Step("addSlot")
            slot.method = ["rawKey": hex([UInt8](repeating: UInt8(round), count: 32))]
            var part = Step("rotateDataKey")
            part.stopAfter = 1
            steps += [[slot], [part], [Step("rotateDataKey")]][round % 3]
            let answers = try Signetv1.batch(path, Self.described, steps + [Step("verify")])
            #expect(answers.allSatisfy { $0.error == nil }, "round \(round): \(answers)")
            #expect(answers[0].value == hex(Array("swift \(round)".utf8)))
            #expect(answers.last?.findings == [])
            for level in [ReadLevel.lazy, .strict] {
                let entry = try vault.entry(shared, level: level)
                #expect(
                    entry?.value.octets == Array("python \(round)".utf8), "round \(round), \(level)"
                )
            }
            #expect(try vault.verify().findings == [])
        }
        #expect(try vault.allItems().count == 13)
        #expect(try vault.list(service: "p", itemClass: nil, accessGroup: "").count == 6)
    }

    @Test("A root rotation there locks the vault here, which continues after unlocking")
    func rootRotation() throws {
        let folder = try FixtureFolder()
        let path = "\(folder.path)/made.vault"
        let vault = try FileVault.create(
            at: path, with: Self.method, options: VaultOptions(level: .strict))
        let key = ItemKey(service: "s", account: "a")
        _ = try vault.set(SecretValue("kept"), for: key, details: nil)
        var rotation = Step("rotateRoot")
        rotation.keeping = [Self.described]
        let answers = try Signetv1.batch(path, Self.described, [rotation, Step("verify")])
        #expect(answers[0].error == nil)
        #expect(answers[1].findings == [])
        let failure = #expect(throws: StoreError.self) {
            _ = try vault.set(SecretValue("x"), for: key, details: nil)
        }
        #expect(failure?.code == .locked)
        try vault.unlock(with: Self.method)
        #expect(try vault.entry(key)?.value.octets == Array("kept".utf8))
        #expect(try vault.verify().findings == [])
    }

    @Test("Both write at once and lose nothing")
    func together() async throws {
        let folder = try FixtureFolder()
        let path = "\(folder.path)/made.vault"
        let vault = try FileVault.create(
            at: path, with: Self.method, options: VaultOptions(level: .strict))
        let count = 150
        let steps = (0..<count).map {
            Self.set(ItemKey(service: "p", account: "\($0)"), SecretValue("p \($0)"), ItemDetails())
        }
        async let there = Signetv1.batch(path, Self.described, steps)
        for number in 0..<count {
            _ = try await vault.set(
                SecretValue("s \(number)"), for: ItemKey(service: "s", account: "\(number)"),
                details: nil)
        }
        let answers = try await there
        #expect(answers.allSatisfy { $0.error == nil })
        #expect(try vault.verify().findings == [])
        #expect(try await vault.allItems().count == 2 * count)
        #expect(try Signetv1.batch(path, Self.described, [Step("verify")])[0].findings == [])
    }

    @Test("The checked-in fixtures are what make-fixtures.py makes")
    func fixtures() throws { try Signetv1.run("make-fixtures", ["--check"]) }

    private typealias Step = Signetv1.Step

    private static func step(_ op: String, _ key: ItemKey) -> Step {
        var step = Step(op)
        step.service = key.service
        step.account = key.account
        step.class = key.itemClass.rawValue
        step.group = key.accessGroup
        return step
    }

    private static func get(_ key: ItemKey) -> Step { step("get", key) }

    private static func set(_ key: ItemKey, _ value: SecretValue, _ details: ItemDetails) -> Step {
        var step = step("set", key)
        step.value = hex(value.octets)
        step.type = value.type.rawValue
        step.label = details.label
        step.comment = details.comment
        step.attributes = details.attributes
        return step
    }
}
