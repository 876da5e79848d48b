// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAudit
internal import SignetCrypto
internal import SignetJOSE
internal import SystemBridge

/// Why a command ends with another status than 0: a stable code, what was wrong, and what to do next.
struct CommandFailure: Error {
    /// The documented exit statuses.
    enum Status: Int32 {
        case refused = 1
        case usage = 2
        case unavailable = 3
    }

    let status: Status
    let code: String
    let message: String
    var advice: String?

    static func refused(_ code: String, _ message: String, advice: String? = nil) -> CommandFailure {
        CommandFailure(status: .refused, code: code, message: message, advice: advice)
    }

    static func usage(_ message: String, advice: String? = nil) -> CommandFailure {
        CommandFailure(status: .usage, code: "usage", message: message, advice: advice)
    }

    static func unavailable(_ code: String, _ message: String, advice: String? = nil) -> CommandFailure {
        CommandFailure(status: .unavailable, code: code, message: message, advice: advice)
    }

    init(status: Status, code: String, message: String, advice: String? = nil) {
        self.status = status
        self.code = code
        self.message = message
        self.advice = advice
    }

    init(_ error: TokenError) {
        self.init(
            status: error.isClientFault ? .refused : (error.code == .invalidPolicy ? .usage : .unavailable),
            code: error.code.rawValue, message: error.message, advice: Self.advice(for: error))
    }

    init(_ error: KeyError, _ path: String? = nil) {
        let place = path.map { "\($0): " } ?? ""
        self.init(
            status: error.code == .algorithmRequired ? .usage : .refused, code: error.code.rawValue,
            message: place + error.message,
            advice: error.code == .algorithmRequired ? "Name it: --algorithm RS256" : nil)
    }

    init(_ error: CryptoError) {
        let isMissing = error.code == .unsupported || error.code == .libraryFailure
        self.init(
            status: isMissing ? .unavailable : .refused, code: error.code.rawValue, message: error.message)
    }

    init(_ error: SystemFailure) {
        self.init(status: .unavailable, code: "system", message: error.description)
    }

    init(_ error: AuditError) {
        self.init(status: .unavailable, code: error.code.rawValue, message: error.message)
    }

    private static func advice(for error: TokenError) -> String? {
        switch error.code {
        case .noMatchingKey:
            "Look at the token's \"kid\" with 'signet jwt inspect' and load the issuer's newest key set."
        case .audienceMismatch: "Name the audience that the token was made for: --audience"
        case .issuerMismatch: "Name the issuer as the token writes it, to the last slash: --issuer"
        case .typeMismatch: "Name the type that you expect, for example --type at+jwt"
        case .expired: "Ask for a new token, or check this machine's clock."
        case .notYetValid: "Check this machine's clock."
        default: nil
        }
    }
}

/// Runs `body` and turns the libraries' errors into this one.
func failing<R>(_ body: () throws -> R) throws -> R {
    do {
        return try body()
    } catch let error as TokenError {
        throw CommandFailure(error)
    } catch let error as KeyError {
        throw CommandFailure(error)
    } catch let error as CryptoError {
        throw CommandFailure(error)
    } catch let error as SystemFailure {
        throw CommandFailure(error)
    } catch let error as AuditError {
        throw CommandFailure(error)
    }
}
