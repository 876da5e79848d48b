// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetVault
import TestSupport
import Testing

@Suite("Vault format: padding")
struct PaddingTests {
    @Test(
        "Lengths are multiples of 64 up to 4,096, then Padmé",
        arguments: [
            (0, 64), (60, 64), (61, 128), (124, 128), (125, 192), (4091, 4096), (4092, 4096),
            (4093, 4352),
            (4348, 4352), (4349, 4608), (8188, 8192), (8189, 8704), (65_536, 67_584),
            (1 << 20, 1_081_344),
            (16_777_216, 17_301_504),
        ])
    func lengths(text: Int, padded: Int) {
        #expect(Padding.paddedByteCount(of: text) == padded)
    }

    @Test("A longer text is never padded to less, and above 4,096 padding costs at most 12 %")
    func monotonous() {
        var previous = 0
        for count in stride(from: 0, through: 300_000, by: 7) {
            let padded = Padding.paddedByteCount(of: count)
            #expect(padded >= count + 4 && padded >= previous)
            if count > 4096 { #expect(Double(padded) <= Double(count + 4) * 1.12, "\(count)") }
            #expect(Padding.paddedByteCount(of: padded - 4) == padded, "\(count): not canonical")
            previous = padded
        }
        #expect(Padding.paddedByteCount(of: .max) == .max)
        #expect(Padding.paddedByteCount(of: .min) == 64)
    }

    @Test(
        "Values of every length near the edges come back",
        arguments: [0, 1, 59, 60, 61, 4091, 4092, 4093, 70_000])
    func roundTrip(count: Int) throws {
        var random = SeededGenerator(seed: UInt64(count))
        let value = random.bytes(count)
        let key = try FormatSample.vaultKey()
        let sealed = try FormatSample.sealPadded(value, with: key)
        #expect(sealed.count == Padding.paddedByteCount(of: count) + 40)
        #expect(try FormatSample.openPadded(sealed, with: key) == value)
    }

    @Test(
        "Padding that no writer makes is refused, even if authentic",
        arguments: [
            ("nothing", []), ("three octets", [0, 0, 0]), ("no padding", [0, 0, 0, 1, 7]),
            ("64 too many", [0, 0, 0, 1, 7] + zeros(123)),
            ("one short", [0, 0, 0, 1, 7] + zeros(58)),
            ("one long", [0, 0, 0, 1, 7] + zeros(60)),
            ("a length beyond", [0, 0, 0, 61] + zeros(60)),
            ("the largest length", [255, 255, 255, 255] + zeros(60)),
            ("a length that overflows to fit", [255, 255, 255, 252] + zeros(60)),
            ("the last octet", [0, 0, 0, 1, 7] + zeros(58) + [1]),
            ("the first octet of padding", [0, 0, 0, 1, 7, 128] + zeros(58)),
            ("64 instead of Padmé", [0, 0, 0x10, 0] + zeros(4156)),
            ("Padmé's next", [0, 0, 0x10, 0] + zeros(4604)),
        ] as [(String, [UInt8])])
    func refused(name: String, plain: [UInt8]) throws {
        let key = try FormatSample.vaultKey()
        let sealed = try FormatSample.seal(plain, .value, with: key)
        #expect(
            FormatSample.code { _ = try FormatSample.openPadded(sealed, with: key) } == .corrupt)
    }

    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
}
