// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetVault
import TestSupport
import Testing

@Suite("Unlock with a raw key")
struct RawKeyUnlockTests {
    @Test("32 bytes open their own slot")
    func roundTrip() throws {
        let method = RawKeyUnlock(try SecretKey.generate())
        #expect(try UnlockSample.opensItsOwnSlot(method))
        #expect(try UnlockSample.newSlot(method).parameters.isEmpty)
    }

    @Test(
        "Any other length is refused when it is used, and not told", arguments: [0, 16, 31, 33, 64])
    func lengths(count: Int) {
        let method = RawKeyUnlock(FormatSample.key(1, count))
        let error = #expect(throws: StoreError.self) { _ = try UnlockSample.newSlot(method) }
        #expect(error?.code == .invalidValue)
        #expect(error?.message == "A vault's raw key has 32 bytes.")
        #expect(
            FormatSample.code { _ = try method.keyEncryptionKey(for: UnlockSample.slot(.rawKey)) }
                == .invalidValue)
    }

    @Test("Other kinds of slots are ignored", arguments: UnlockSample.otherKinds)
    func otherKinds(kind: KeySlot.Kind) throws {
        guard kind != .rawKey else { return }
        #expect(
            try UnlockSample.key(RawKeyUnlock(FormatSample.key(1)), UnlockSample.slot(kind)) == nil)
    }

    @Test("Printing shows nothing")
    func redaction() throws {
        let method = RawKeyUnlock(
            SecretKey(copying: Array("s3cr3t-s3cr3t-s3cr3t-s3cr3t-s3cr".utf8)))
        for value in [method as Any, try UnlockSample.newSlot(method), UnlockSample.slot(.rawKey)] {
            let text = UnlockSample.printed(value)
            #expect(
                !text.contains("s3cr3t") && !text.contains("115, 51")
                    && !text.contains(hex(Array("s3cr".utf8))))
        }
    }
}
