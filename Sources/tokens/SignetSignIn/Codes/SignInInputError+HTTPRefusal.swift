// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE

extension SignInInputErrorDomain: RefusingDomain {
    /// The answer to the request that failed with it.
    public static func httpRefusal(of error: SignInInputError) -> HTTPRefusal {
        // The program's own request is impossible.
        error.code == .invalidLength ? .internalError : .badRequest
    }
}
