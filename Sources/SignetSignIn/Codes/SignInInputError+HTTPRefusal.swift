// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetJOSE

extension SignInInputErrorDomain: RefusingDomain {
    package static func httpRefusal(of error: SignInInputError) -> HTTPRefusal {
        // The program asks for what no code has.
        error.code == .invalidLength ? .internalError : .badRequest
    }
}
