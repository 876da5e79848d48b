// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension Result {
    /// What `body` returns, or its error, as a value.
    package init(of body: () async throws(Failure) -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
