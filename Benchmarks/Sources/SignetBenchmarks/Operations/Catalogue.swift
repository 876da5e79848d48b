// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE

/// Everything that is measured, with what the project has promised for it.
enum Catalogue {
    static func all() async throws -> [OperationGroup] {
        let hmac = try await TokenFixture.hmac()
        let hs256 = TokenOperations(fixture: hmac)
        let rs256 = TokenOperations(fixture: try await .signature(.rs256))
        let ps256 = TokenOperations(fixture: try await .signature(.ps256))
        let es256 = TokenOperations(fixture: try await .signature(.es256))
        let edDSA = TokenOperations(fixture: try await .signature(.edDSA))
        let sealing = try SealingOperations()
        let sizes = [64, 1024, 16_384, 1 << 20]
        return [
            OperationGroup(
                title: "Tokens",
                operations: [
                    try hs256.verifyTyped([jwtKit(7)]),
                    try hs256.verifyRegistered([jwtKit(14), floor(2.7)]),
                    try hs256.verifySession([jwtKit(9)]),
                    try hs256.verifySessionRegistered([jwtKit(17)]),
                    try ThreadOperations.verify(hmac),
                    try hs256.sign([jwtKit(12)]),
                    try hs256.signSession([jwtKit(18)]),
                    try rs256.verifyTyped([jwtKit(2.3), floor(1.2)]),
                    try rs256.verifySession([jwtKit(1.8), floor(1.1)]),
                    try rs256.sign([jwtKit(2.2), floor(1.03)]),
                    try ps256.verifyTyped(),
                    try ps256.sign(),
                    try es256.verifyTyped([jwtKit(1.25), floor(1.08)]),
                    try es256.verifySession(),
                    try es256.sign([jwtKit(2.7), floor(1.18)]),
                    try edDSA.verifyTyped([jwtKit(1.12), floor(1.06)]),
                    try edDSA.verifySession(),
                    try edDSA.sign([jwtKit(1.7), floor(1.12)]),
                    try KeySetOperations.load(),
                    try KeySetOperations.loadAndVerify(),
                    try KeySetOperations.lookUp(keyCount: 3),
                    try KeySetOperations.lookUp(keyCount: 100_000),
                ]),
            OperationGroup(
                title: "Sealing",
                operations: try sizes.flatMap { try sealing.gcm($0) }
                    + sizes.flatMap { try sealing.xaes($0) }),
        ]
    }

    private static func jwtKit(_ times: Double) -> Goal { .faster(times: times, than: .jwtKit) }
    private static func floor(_ times: Double) -> Goal { .within(times: times, of: .libcrypto) }
}
