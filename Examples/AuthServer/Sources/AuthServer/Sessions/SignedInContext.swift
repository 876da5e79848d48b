// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Hummingbird

/// The context of routes for people who have signed in: there is none without a principal.
struct SignedInContext: ChildRequestContext {
    typealias ParentContext = AppRequestContext

    var coreContext: CoreRequestContextStorage
    let principal: Principal

    /// - Throws: a 500 when the route was put outside the group with ``SessionAuthentication``: a mistake in the program, which must
    ///   not become an open door.
    init(context: AppRequestContext) throws {
        guard let principal = context.principal else {
            throw Refusal.internalError(reason: "routeWithoutAuthentication")
        }
        coreContext = context.coreContext
        self.principal = principal
    }
}
