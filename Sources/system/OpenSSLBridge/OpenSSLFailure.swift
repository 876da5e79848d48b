// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// A call into libcrypto that failed, or that was not made because a length was wrong.
///
/// It carries the operation's name and libcrypto's numeric code, never libcrypto's text, which may
/// hold file names or parts of the input.
package struct OpenSSLFailure: Error, Sendable, Equatable {
    /// The kind of failure.
    package enum Kind: Sendable, Equatable {
        /// A length or a parameter was refused before libcrypto was called.
        case invalidLength
        /// libcrypto refused the input: not a key, or an encoding that does not parse.
        case refused
        /// An authentication tag did not match.
        case authentication
        /// The loaded libcrypto, or its provider, does not offer the algorithm.
        case unavailable
        /// libcrypto had no memory. Nothing is known about the input.
        case noMemory
    }

    package let kind: Kind
    package let operation: String
    package let code: UInt

    package init(_ kind: Kind, _ operation: String, code: UInt = 0) {
        self.kind = kind
        self.operation = operation
        self.code = code
    }

    /// Takes the newest error of this thread's queue, and empties the queue for later calls.
    @inline(never)
    static func fromErrorQueue(_ operation: String, kind: Kind = .refused) -> OpenSSLFailure {
        let code = ERR_peek_last_error()
        let fault = ErrorQueue.takeMachineFault(operation)
        // A missing algorithm is not distinguished here: libcrypto reports the same for keys that
        // it cannot read.
        if let fault, fault.kind == .noMemory { return fault }
        return OpenSSLFailure(kind, operation, code: UInt(code))
    }
}

/// Throws for any return code but 1. Codes are checked where they appear.
@inline(__always)
func require(_ returnCode: Int32, _ operation: @autoclosure () -> String) throws(OpenSSLFailure) {
    guard returnCode == 1 else { throw OpenSSLFailure.fromErrorQueue(operation()) }
}

/// A pointer that libcrypto returned; null throws.
@inline(__always)
func require(_ pointer: OpaquePointer?, _ operation: @autoclosure () -> String)
    throws(OpenSSLFailure)
    -> OpaquePointer
{
    guard let pointer = unsafe pointer else { throw OpenSSLFailure.fromErrorQueue(operation()) }
    return unsafe pointer
}
