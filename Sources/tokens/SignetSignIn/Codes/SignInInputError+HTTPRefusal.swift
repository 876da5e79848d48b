// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetJOSE

extension SignInInputErrorDomain: RefusingDomain {
    package static func httpRefusal(of error: SignInInputError) -> HTTPRefusal {
        // The program's own request is impossible.
        error.code == .invalidLength ? .internalError : .badRequest
    }
}
