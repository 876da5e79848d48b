// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE

/// Everything that is measured, with what issue 2 promised for it.
enum Catalogue {
    static func all() async throws -> [OperationGroup] {
        let hmac = try await TokenFixture.hmac()
        let hs256 = TokenOperations(fixture: hmac)
        let rs256 = TokenOperations(fixture: try await .signature(.rs256))
        let ps256 = TokenOperations(fixture: try await .signature(.ps256))
        let es256 = TokenOperations(fixture: try await .signature(.es256))
        let edDSA = TokenOperations(fixture: try await .signature(.edDSA))
        let sealing = try SealingOperations()
        let sizes = [64, 1024, 16_384]
        return [
            OperationGroup(
                title: "Tokens",
                operations: [
                    try hs256.verifyTyped([.faster(times: 4, than: .jwtKit)]),
                    try hs256.verifyRegistered(),
                    try hs256.verifySession(),
                    try ThreadOperations.verify(hmac),
                    try hs256.sign(),
                    try hs256.signSession(),
                    try rs256.verifyTyped([.within(times: 1.25, of: .libcrypto)]),
                    try rs256.verifySession(),
                    try rs256.sign([.within(times: 1.25, of: .libcrypto)]),
                    try ps256.verifyTyped(),
                    try ps256.sign(),
                    try es256.verifyTyped(),
                    try es256.verifySession(),
                    try es256.sign(),
                    try edDSA.verifyTyped(),
                    try edDSA.verifySession(),
                    try edDSA.sign(),
                    try KeySetOperations.load(),
                ]),
            OperationGroup(
                title: "Sealing",
                operations: try sizes.flatMap { try sealing.gcm($0) }
                    + sizes.flatMap { try sealing.xaes($0) }),
        ]
    }
}
