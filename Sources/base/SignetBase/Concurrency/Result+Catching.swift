// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension Result {
    /// The value that `body` returns, or its error.
    package init(of body: () async throws(Failure) -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
