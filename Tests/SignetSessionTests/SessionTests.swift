// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetSession
import Testing

@Suite("Sessions")
struct SessionTests {
    @Test("an item of a session is a token of its service")
    func item() {
        #expect(ItemKey.token(service: "api.example.com", account: "session").itemClass == .token)
    }
}
