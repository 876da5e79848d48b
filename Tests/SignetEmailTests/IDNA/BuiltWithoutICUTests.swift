// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if !InternationalEmail
    import Foundation
    import Testing

    struct BuiltWithoutICUTests {
        /// A person may go without ICU, the gate may not.
        @Test func converterIsSkipped() {
            print("skipped: built without the trait InternationalEmail (ICU's headers: package libicu-dev)")
            #expect(ProcessInfo.processInfo.environment["SIGNET_REQUIRE_INTEROP"] != "1")
        }
    }
#endif
