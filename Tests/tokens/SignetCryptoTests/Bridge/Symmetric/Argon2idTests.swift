// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import OpenSSLBridge
import TestSupport
import Testing

@Suite("Argon2id in the bridge")
struct Argon2idTests {
    private func derive(
        salt: Int = 16, memoryKiB: UInt32 = 32, passes: UInt32 = 1, lanes: UInt32 = 1,
        byteCount: Int = 32
    ) throws {
        let salt = [UInt8](repeating: 2, count: salt)
        _ = try Argon2id.derive(
            password: [1].span, salt: salt.span, memoryKiB: memoryKiB, passes: passes, lanes: lanes,
            byteCount: byteCount)
    }

    @Test(
        "Values that RFC 9106, section 3.1, excludes are refused, with or without the algorithm"
    )
    func ranges() {
        for count in [0, 1, 7] {
            #expect(failure { try derive(salt: count) } == .invalidLength, "\(count)")
        }
        for count in [Int.min, -1, 0, 3, Int(Int32.max) + 1, Int.max] {
            #expect(failure { try derive(byteCount: count) } == .invalidLength, "\(count)")
        }
        #expect(failure { try derive(passes: 0) } == .invalidLength)
        for lanes: UInt32 in [0, 0x100_0000, .max] {
            #expect(
                failure { try derive(memoryKiB: .max, lanes: lanes) } == .invalidLength, "\(lanes)")
        }
        for (memory, lanes): (UInt32, UInt32) in [(0, 1), (7, 1), (31, 4), (511, 64)] {
            #expect(
                failure { try derive(memoryKiB: memory, lanes: lanes) } == .invalidLength,
                "\(memory)")
        }
    }

    @Test(
        "A libcrypto without Argon2id is reported",
        .enabled(if: !Argon2id.isAvailable, "OpenSSL 3.2 or newer is loaded"))
    func unavailable() {
        #expect(failure { try derive() } == .unavailable)
    }

    @Test(
        "The value of RFC 9106, section 5.3",
        .enabled(if: Argon2id.isAvailable, "Argon2id needs OpenSSL 3.2 or newer"))
    func knownAnswer() throws {
        let password = [UInt8](repeating: 1, count: 32)
        let salt = [UInt8](repeating: 2, count: 16)
        let key = [UInt8](repeating: 3, count: 8)
        let data = [UInt8](repeating: 4, count: 12)
        let derived = try Argon2id.derive(
            password: password.span, salt: salt.span, memoryKiB: 32, passes: 3, lanes: 4,
            byteCount: 32,
            secret: key.span, associated: data.span)
        #expect(
            hex(exposed(derived))
                == "0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659")
    }

    @Test(
        "Every parameter changes the result, and an empty password works",
        .enabled(if: Argon2id.isAvailable, "Argon2id needs OpenSSL 3.2 or newer"))
    func parameters() throws {
        func derived(
            _ password: [UInt8] = [], salt: UInt8 = 2, memory: UInt32 = 64, passes: UInt32 = 1,
            lanes: UInt32 = 1,
            count: Int = 32
        ) throws -> [UInt8] {
            let salt = [UInt8](repeating: salt, count: 16)
            return exposed(
                try Argon2id.derive(
                    password: password.span, salt: salt.span, memoryKiB: memory, passes: passes,
                    lanes: lanes,
                    byteCount: count))
        }
        let base = try derived()
        #expect(base == (try derived()))
        let others = [
            try derived([0]), try derived(salt: 3), try derived(memory: 72), try derived(passes: 2),
            try derived(lanes: 2), try derived(count: 33),
        ]
        #expect(Set(others + [base]).count == others.count + 1)
        #expect(try derived(count: 4).count == 4)
    }
}
