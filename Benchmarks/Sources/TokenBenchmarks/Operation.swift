// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import BenchmarkSupport

/// Who is measured.
enum Party: CaseIterable {
    case signet, jwtKit, swiftCrypto, libcrypto

    var title: String {
        switch self {
        case .signet: "Signet"
        case .jwtKit: "jwt-kit 5.7.1"
        case .swiftCrypto: "swift-crypto 4.5.2"
        case .libcrypto: "raw libcrypto"
        }
    }
}

/// One party's way of doing an operation.
struct Contender {
    let party: Party
    /// Does the operation so many times, and throws unless each of them gave the right answer.
    let run: (Int) async throws -> Void

    init(_ party: Party, _ run: @escaping (Int) async throws -> Void) {
        self.party = party
        self.run = run
    }

    /// A contender whose operation is one synchronous call with an answer that is kept.
    static func calling<Value>(_ party: Party, _ body: @escaping () throws -> Value) -> Contender {
        Contender(party) { count in
            for _ in 0..<count { keep(try body()) }
        }
    }

    /// A contender whose operation answers yes; a no ends the benchmark.
    static func checking(_ party: Party, _ body: @escaping () -> Bool) -> Contender {
        Contender(party) { count in
            for _ in 0..<count {
                guard body() else { throw BenchmarkError.wrongAnswer(party) }
            }
        }
    }
}

/// Something that is worth measuring, and everybody who can do it.
struct Operation {
    /// What `--filter` looks at, for example `hs256.verify.id.typed`.
    let identifier: String
    let title: String
    let contenders: [Contender]
    /// Several threads share the work, so that it is the clock that tells how long it took.
    var isParallel = false
}

enum BenchmarkError: Error {
    case wrongAnswer(Party)
    case differentClaims(String)
    case setup(String)
    case usage
}
