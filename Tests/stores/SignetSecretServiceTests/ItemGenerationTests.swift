// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetSecretService
import SignetVault
import Testing

@Suite("The generation of an item in the keyring")
struct ItemGenerationTests {
    private static let lastMillisecond: UInt64 = (1 << 43) - 1
    private static let previous: [UInt64] = [
        0, 1 << 21, 0x1A0_C2D3_4FFF_FFFF, (lastMillisecond << 21) - 1, lastMillisecond << 21,
        .max - 5000, .max - 1025, .max - 2, .max - 1,
    ]

    @Test("comes from the writer's clock", arguments: [0, 1, 1_790_000_000_000, lastMillisecond])
    func first(_ milliseconds: UInt64) throws {
        #expect(
            try ItemGeneration.next(after: nil, milliseconds: milliseconds) >> 21 == milliseconds)
        let later = try ItemGeneration.next(after: 5 << 21 | 17, milliseconds: max(milliseconds, 6))
        #expect(later >> 21 == max(milliseconds, 6))
    }

    @Test(
        "is higher than the one before, whatever the clock says",
        arguments: previous, [0, 1_790_000_000_000, lastMillisecond, .max])
    func higher(_ previous: UInt64, _ milliseconds: UInt64) throws {
        for _ in 0..<200 {
            #expect(try ItemGeneration.next(after: previous, milliseconds: milliseconds) > previous)
        }
    }

    @Test("has a last value")
    func last() {
        #expect(throws: StoreError(.corrupt, "")) {
            try ItemGeneration.next(after: .max, milliseconds: 1_790_000_000_000)
        }
    }
}
