// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetCrypto
import SignetVault

/// Uses a vault as a program would, locks it, and looks for what it held in all of this process's memory.
///
/// The secrets are never written out here: they are made from numbers where they are needed, and are searched for as their
/// complement, so that the search does not find itself.
enum MemoryScan {
    /// What is looked for: 32 octets each, from a number.
    struct Secret {
        let name: String
        let seed: UInt64

        /// Octets of text, so that one secret serves as passphrase and as value.
        func octet(_ index: Int) -> UInt8 {
            var z = seed &+ UInt64(index) &* 0x9e37_79b9_7f4a_7c15
            z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
            z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
            return 0x21 + UInt8((z ^ (z >> 31)) % 90)
        }

        /// Not contiguous: Signet copies such a collection to memory that it wipes.
        var octets: some Collection<UInt8> { (0..<32).lazy.map(octet) }

        /// The secret with every bit inverted.
        var complement: [UInt8] { (0..<32).map { ~octet($0) } }
    }

    static let passphrase = Secret(name: "passphrase", seed: 11)
    static let written = Secret(name: "value written", seed: 22)
    static let key = Secret(name: "key stored", seed: 33)
    static let rawKey = Secret(name: "slot key", seed: 44)
    static let control = Secret(name: "control", seed: 55)

    static func run(vault path: String) throws {
        let complements = [passphrase, written, key, rawKey].map { ($0.name, $0.complement) }
        try use(path)
        // The search must be able to find: a copy in the clear.
        let held = control.octets.map { $0 }
        let controlComplement = control.complement
        let foundHeld = try occurrences(of: controlComplement)
        Line.write("control \(foundHeld) \(held.count)")
        for (name, complement) in complements {
            Line.write("found \(try occurrences(of: complement)) \(name)")
        }
        // The vault's own keys, which only the test knows by now: a name and a complement in
        // hexadecimal.
        Line.write("locked")
        while let line = readLine() {
            let parts = line.split(separator: " ")
            guard parts.count == 2 else { continue }
            let digits = Array(parts[1])
            let complement = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
                UInt8(String(digits[$0...$0 + 1]), radix: 16)
            }
            guard complement.count == 32 else { continue }
            Line.write("found \(try occurrences(of: complement)) \(parts[0])")
        }
        withExtendedLifetime(held) {}
        Line.write("done")
    }

    private static func use(_ path: String) throws {
        let method = PassphraseUnlock(
            SecretBytes(copying: passphrase.octets), derivation: .scrypt(logCost: 10))
        let vault = try FileVault.create(at: path, with: method)
        let (place, keyPlace) = (
            ItemKey(service: "scan", account: "value"), ItemKey.key(service: "scan", name: "key")
        )
        try vault.write { writer in
            try writer.set(SecretValue(SecretBytes(copying: written.octets)), for: place)
            try writer.set(
                SecretValue(SecretBytes(copying: key.octets), type: .symmetricKey), for: keyPlace)
        }
        for _ in 0..<3 {
            let value = try vault.read { try $0.get(place) }
            guard value?.byteCount == 32 else {
                throw StoreError(.corrupt, "The value is not there.")
            }
            let stored = try vault.read { reader in
                try reader.get(keyPlace).map { try SecretKey(secretValue: $0, bitCount: 256) }
            }
            guard stored?.byteCount == 32 else {
                throw StoreError(.corrupt, "The key is not there.")
            }
        }
        _ = try vault.addSlot(RawKeyUnlock(SecretKey(SecretBytes(copying: rawKey.octets))))
        _ = try vault.read { try $0.list(service: "scan") }
        try vault.rotateDataKey()
        guard try vault.verify().isClean else {
            throw StoreError(.corrupt, "The vault is not clean.")
        }
        try vault.lock()
        try vault.unlock(with: method)
        _ = try vault.read { try $0.get(place) }
        try vault.lock()
    }

    /// How often the octets of this complement occur in memory that this process may read.
    private static func occurrences(of complement: [UInt8]) throws -> Int {
        let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
        let memory = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/self/mem"))
        var found = 0
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        for line in maps.split(separator: "\n") {
            let parts = line.split(separator: " ")
            guard parts.count >= 2, parts[1].hasPrefix("r"), !line.hasSuffix("[vvar]"),
                !line.hasSuffix("[vsyscall]")
            else { continue }
            let ends = parts[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
            guard ends.count == 2, ends[1] - ends[0] < 1 << 32 else { continue }
            found += search(memory, from: ends[0], to: ends[1], complement, &buffer)
        }
        return found
    }

    private static func search(
        _ memory: FileHandle, from start: UInt64, to end: UInt64, _ complement: [UInt8],
        _ buffer: inout [UInt8]
    ) -> Int {
        var found = 0
        var place = start
        while place < end {
            let wanted = Int(min(UInt64(buffer.count), end - place))
            let count = ReadMemory.read(memory.fileDescriptor, at: place, into: &buffer, wanted)
            guard count > 0 else { break }
            found += matches(buffer, count, complement)
            // Pieces overlap, so that nothing hides at a boundary.
            place += UInt64(count == wanted && place + UInt64(count) < end ? count - 31 : count)
        }
        // The next search must not find what this one read.
        ReadMemory.erase(&buffer)
        return found
    }

    private static func matches(_ buffer: [UInt8], _ count: Int, _ complement: [UInt8]) -> Int {
        var found = 0
        var start = 0
        let end = count - complement.count + 1
        while let place = ReadMemory.index(of: ~complement[0], in: buffer, from: start, to: end) {
            var index = 1
            while index < complement.count, buffer[place + index] == ~complement[index] {
                index += 1
            }
            if index == complement.count { found += 1 }
            start = place + 1
        }
        return found
    }
}
