// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// One operation that is counted.
struct Workload {
    let name: String
    /// How often it runs for a count: few times where one is long.
    let iterations: Int
    /// Makes keys and tokens, which is not counted, and returns the operation, which says whether its answer was right.
    let prepare: () throws -> () throws -> Bool

    init(_ name: String, _ iterations: Int = 200, prepare: @escaping () throws -> () throws -> Bool) {
        self.name = name
        self.iterations = iterations
        self.prepare = prepare
    }

    @inline(never)
    func run(_ operation: () throws -> Bool, times count: Int) throws {
        for _ in 0..<count {
            guard try operation() else { throw CountsError.wrongAnswer(name) }
        }
    }

    /// Every operation, in the order of the table.
    static func all() -> [Workload] {
        let hmac = TokenWorkloads(name: "hs256") { try TokenFixture.hmac() }
        let signatures = [SignatureAlgorithmName.rs256, .es256, .edDSA].map { algorithm in
            TokenWorkloads(name: algorithm.rawValue, iterations: 10) { try algorithm.fixture() }
        }
        return hmac.all() + signatures.flatMap { $0.all() } + KeySetWorkloads.all() + SealingWorkloads.all()
            + RefusalWorkloads.all()
    }
}
