// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import SignetIdentity
internal import SignetJOSE
internal import Synchronization

extension CommandFailure {
    /// - Parameters:
    ///   - algorithms: what the issuer signs with: what was expected is said, and never what the
    ///     token says, which is the sender's choice.
    ///   - isAccessToken: whether it came of `signet accesstoken verify`.
    init(_ error: IdentityError, expecting algorithms: [String] = [], isAccessToken: Bool = false) {
        self.init(
            status: HTTPRefusal(error).status >= 500 ? .unavailable : .refused,
            code: error.code.rawValue,
            message: error.message,
            advice: (isAccessToken ? Self.accessTokenAdvice(error.code) : nil)
                ?? Self.advice(error.code),
            claim: error.claim)
        guard !algorithms.isEmpty, error.code == .algMismatch || error.code == .unsupportedAlg
        else { return }
        let names = algorithms.joined(separator: ", ")
        advice = "Expected: \(names). 'signet jwt inspect' shows the token's \"alg\"."
    }

    init(_ error: IdentityConfigurationError) {
        self.init(
            status: .usage, code: error.code.rawValue, message: error.message,
            advice: "See the command's --help.")
    }

    private static func advice(_ code: IdentityError.Code) -> String? {
        switch code {
        case .audienceMissing: "Name the client that the token was made for: --client-id"
        case .azp: "Name the client that asked for the token too: --client-id or --authorized-party"
        case .issuer: "Look at iss with 'signet jwt inspect': is it this issuer's?"
        case .nonceMissing:
            "The request that led to this token had no nonce: leave --nonce-file out."
        case .nonceMismatch:
            "Give the nonce that was sent: --nonce-file; where the client hashes it, --nonce-sha256."
        case .unknownKid: "Take the issuer's newest keys; leave --jwks out to have them fetched."
        case .expired: "Ask for a new token, or check this machine's clock."
        case .notYetValid, .issuedInFuture: "Check this machine's clock."
        case .keySourceUnavailable: "Try again, or give the keys in a file: --jwks FILE"
        default: nil
        }
    }
}

extension CommandFailure {
    private static func accessTokenAdvice(_ code: IdentityError.Code) -> String? {
        switch code {
        case .audienceMissing: "Name this server as the issuer does: --audience"
        case .azp: "Name the client that asked for the token: --client-id (clerk: --origin)"
        case .insufficientScope: "The token is good. Its client has to be granted more."
        default: nil
        }
    }
}

/// Runs `body` and turns the errors of SignetIdentity, as well as those of the other libraries, into this one.
func identifying<R>(_ body: () throws -> R) throws -> R {
    do {
        return try failing(body)
    } catch let error as IdentityError {
        throw CommandFailure(error)
    } catch let error as IdentityConfigurationError {
        throw CommandFailure(error)
    }
}

/// Runs what is asynchronous and waits for it. From the main thread only, which is none of those that the work runs on.
func waitingForIdentity<R: Sendable>(
    _ work: @escaping @Sendable () async throws(IdentityError) -> R
) throws(IdentityError) -> R {
    let answer = IdentityAnswer<R>()
    let done = DispatchSemaphore(value: 0)
    Task.detached {
        do throws(IdentityError) {
            answer.give(.success(try await work()))
        } catch {
            answer.give(.failure(error))
        }
        done.signal()
    }
    done.wait()
    guard let result = answer.take() else {
        throw IdentityError(.keySourceUnavailable, "The call gave no answer.")
    }
    return try result.get()
}

private final class IdentityAnswer<R: Sendable>: Sendable {
    private let result = Mutex<Result<R, IdentityError>?>(nil)

    func give(_ value: Result<R, IdentityError>) { result.withLock { $0 = value } }

    func take() -> Result<R, IdentityError>? { result.withLock { $0 } }
}
