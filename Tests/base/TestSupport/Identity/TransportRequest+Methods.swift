// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetIdentity

extension TransportRequest.Method {
    /// All of them.
    package static let all: [Self] = [.get, .post, .put, .patch, .delete]
}
