// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if !PublicSuffix
    import Foundation
    import Testing

    struct BuiltWithoutLibPSLTests {
        /// A person may go without libpsl, the gate may not.
        @Test func libpslIsSkipped() {
            print("skipped: built without the trait PublicSuffix (libpsl's header: package libpsl-dev)")
            #expect(ProcessInfo.processInfo.environment["SIGNET_REQUIRE_INTEROP"] != "1")
        }
    }
#endif
