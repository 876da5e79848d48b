// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE

extension BearerTokenErrorDomain: RefusingDomain {
    /// The answer to the request that failed with it. A request without a token gets no reason (RFC
    /// 6750, section 3.1).
    public static func httpRefusal(of error: BearerTokenError) -> HTTPRefusal {
        error.code == .missing || error.code == .otherScheme ? .authenticate : .invalidRequest
    }
}
