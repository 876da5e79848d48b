// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import BenchmarkSupport
import Foundation

/// A ratio that no change may lose. The table says which a run reached; nothing fails, because a
/// busy machine can miss any of them.
struct Guard {
    private enum Bound {
        /// The peer takes at least so many times as long as Signet.
        case faster(Double, than: Party)
        /// Signet takes at most so many times as long as the floor.
        case within(Double, of: Party)
        /// The fastest turn of two threads beside that of one, for Signet.
        case twoThreads(Double)
    }

    private let identifier: String
    private let bound: Bound

    private static let all: [Guard] = [
        Guard(identifier: "hs256.verify.id.typed", bound: .faster(6, than: .jwtKit)),
        Guard(identifier: "hs256.verify.id.registered", bound: .faster(9, than: .jwtKit)),
        Guard(identifier: "hs256.verify.id.typed", bound: .twoThreads(1.5)),
        Guard(identifier: "hs256.sign.id", bound: .faster(9, than: .jwtKit)),
        Guard(identifier: "hs256.sign.session", bound: .faster(9, than: .jwtKit)),
        Guard(identifier: "rs256.verify.id.typed", bound: .faster(2.2, than: .jwtKit)),
        Guard(identifier: "rs256.verify.id.typed", bound: .within(1.25, of: .libcrypto)),
        Guard(identifier: "rs256.sign.id", bound: .within(1.06, of: .libcrypto)),
        Guard(identifier: "es256.verify.id.typed", bound: .within(1.1, of: .libcrypto)),
        Guard(identifier: "es256.sign.id", bound: .within(1.25, of: .libcrypto)),
        Guard(identifier: "eddsa.verify.id.typed", bound: .within(1.07, of: .libcrypto)),
        Guard(identifier: "aes256gcm.seal.64", bound: .faster(1.7, than: .swiftCrypto)),
        Guard(identifier: "aes256gcm.open.64", bound: .faster(1.7, than: .swiftCrypto)),
        Guard(identifier: "jwe.open.dir.1024", bound: .within(1.5, of: .libcrypto)),
    ]

    /// Those whose rows were measured.
    static func table(_ measurements: [Measurement]) -> String {
        let rows = all.compactMap { $0.row(measurements) }
        return Figures.table(["Guard", "Bound", "This run", ""], rows)
    }

    private func row(_ measurements: [Measurement]) -> [String]? {
        func found(_ identifier: String) -> Measurement? {
            measurements.first { $0.operation.identifier == identifier }
        }
        guard let one = found(identifier) else { return nil }
        let (name, wanted, ratio, isReached): (String, String, Double, Bool)
        switch bound {
        case .faster(let times, let party):
            guard let found = one.ratio(party, to: .signet) else { return nil }
            name = "\(party.title) ÷ Signet"
            ratio = found
            isReached = found >= times
            wanted = "≥ \(Self.short(times)) ×"
        case .within(let times, let party):
            guard let found = one.ratio(.signet, to: party) else { return nil }
            name = "Signet ÷ \(party.title)"
            ratio = found
            isReached = found <= times
            wanted = "≤ \(Self.short(times)) ×"
        case .twoThreads(let times):
            guard let two = found(identifier + ".2threads")?.time(.signet),
                let alone = one.time(.signet),
                two.fastest > 0
            else { return nil }
            ratio = alone.fastest / two.fastest
            name = "two threads beside one, fastest turns"
            isReached = ratio >= times
            wanted = "≥ \(Self.short(times)) ×"
        }
        return [
            "\(one.operation.title): \(name)", wanted, Figures.ratio(ratio),
            isReached ? "reached" : "missed",
        ]
    }

    private static func short(_ number: Double) -> String { String(format: "%g", number) }
}
