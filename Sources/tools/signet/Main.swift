// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import SignetPlatform

/// The entry point. The process ends with a documented status.
@main
enum Main {
    static func main() {
        ProcessStart.note()
        StandardStreams.prepare()
        ProcessPrivacy.begin()
        exit(Invocation(arguments: Array(ProgramArguments.all.dropFirst())).run())
    }
}
