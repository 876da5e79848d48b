// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetSession

// A driver of your own, whose store has no session. AuthFlowDriver is one over a SessionManager.
// snippet.AuthFlow
var flow = AuthFlow()
for effect in flow.handle(.asked(.launch)) {
    guard case .start(.readStore, let generation) = effect else { continue }
    _ = flow.handle(.answered(.store(.signedOut), generation))
}
print(flow.route == .signIn)
// snippet.end

// A button that is pressed twice: the flow refuses the second press.
if let address = AuthFlow.Destination("ann@example.com") {
    print(flow.handle(.asked(.sendCode(address))).count, flow.isBusy)
    print(flow.handle(.asked(.sendCode(address))) == [.refused(.busy)])
}
