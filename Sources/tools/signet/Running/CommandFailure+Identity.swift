// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetIdentity
internal import SignetJOSE

extension CommandFailure {
    init(_ error: IdentityError) { self.init(error, detail: Self.detail(error)) }

    /// A failure of a command that verifies a token of an issuer.
    ///
    /// - Parameters:
    ///   - algorithms: what the issuer signs with. The advice says what was expected, and never
    ///     what the token says, which is the sender's choice.
    ///   - wereFetched: whether the issuer was asked for its keys just now.
    ///   - isGoogle: whether the provider is Google.
    ///   - lacking: the command's options that this issuer's preset does not take.
    init(
        _ error: IdentityError, expecting algorithms: [String], wereFetched: Bool,
        isGoogle: Bool = false, lacking: Set<String>
    ) {
        let ofCommand: Advice.Cause.Detail? =
            switch error.code {
            case .unknownKid where wereFetched: .fetched
            case .azp where isGoogle: .google
            default: nil
            }
        self.init(error, detail: Self.detail(error) ?? ofCommand)
        self.lacking = lacking
        guard !algorithms.isEmpty, error.code == .algMismatch || error.code == .unsupportedAlg
        else { return }
        let names = algorithms.joined(separator: ", ")
        advice = "Expected: \(names). 'signet jwt inspect' shows the token's \"alg\"."
    }

    private init(_ error: IdentityError, detail: Advice.Cause.Detail?) {
        self.init(
            status: HTTPRefusal(error).status >= 500 ? .unavailable : .refused,
            code: error.code.rawValue, message: "\(messageOf: error)",
            cause: Advice.Cause(error.code, detail: detail), claim: error.claim)
    }

    private static func detail(_ error: IdentityError) -> Advice.Cause.Detail? {
        switch error.keyProblem {
        case .ambiguous: .severalKeys
        case .unnamed: .unnamedKey
        case nil: nil
        }
    }

    init(_ error: IdentityConfigurationError) {
        self.init(
            status: .usage, code: error.code.rawValue, message: "\(messageOf: error)",
            advice: "See the command's --help.")
    }

    /// Tells an unreachable source from a wrong source: only an unreachable source is worth another
    /// try.
    init(_ error: KeySourceError) {
        let status: Status =
            switch error.code {
            case .redirect, .tooLarge, .invalidDocument, .issuerMismatch, .noUsableKeys: .refused
            default: .unavailable
            }
        self.init(
            status: status, code: error.code.rawValue, message: "\(messageOf: error)",
            cause: Advice.Cause(error.code))
    }
}
