// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Hummingbird

/// What travels with a request: its id, and who sends it once that is known.
struct AppRequestContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// Set by ``RequestIDMiddleware``, and carried by each line that this request writes to the log.
    var correlationID: CorrelationID
    /// Set by ``SessionAuthentication``. Routes do not look here: they run in a ``SignedInContext``, which cannot be without it.
    var principal: Principal?

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        correlationID = .make()
    }
}
