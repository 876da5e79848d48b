// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import SessionServer
import SignetSession
import TestPrograms
import TestSupport
import Testing

/// A process that is stopped (SIGSTOP) between the server's answer and its write: the others
/// continue with what they have, and nothing is lost. Each test is a process, whose lock files are
/// in its own folder.
@Suite("Sessions next to a stopped process")
struct StoppedTests {
    @Test("Others use a good token, then are unavailable, and continue when it does")
    func stoppedAndContinued() async {
        await #expect(processExitsWith: .success) {
            let fixture = try await StoppedWorkerFixture(.strict)
            // Due, and good for 200 s more.
            #expect(try await fixture.client.accessToken().exposedText == "1-1")
            try fixture.folder.clock.set(StoppedWorkerFixture.start + 700)
            #expect(await fixture.client.tokenFailure() == .unavailable)
            #expect(fixture.client.state.isSignedIn)
            fixture.worker.signal(SIGCONT)
            try await until { await fixture.client.tokenFailure() == nil }
            let record = try fixture.folder.server.record()
            #expect(record.ended == 0 && record.family == 1)
            #expect(record.rotations <= 3, "\(record.rotations)")
            fixture.end()
        }
    }

    @Test(
        "Killing the stopped process frees the others, and the server repeats its answer",
        arguments: [StubServer.Kind.goTrue, .strict])
    func stoppedAndKilled(_ kind: StubServer.Kind) async {
        await #expect(processExitsWith: .success) { [kind = kind.rawValue as String] in
            let fixture = try await StoppedWorkerFixture(
                try #require(StubServer.Kind(rawValue: kind)))
            #expect(try await fixture.client.accessToken().exposedText == "1-1")
            fixture.end()
            try await until { try await fixture.client.accessToken().exposedText == "1-2" }
            let record = try fixture.folder.server.record()
            #expect(record.ended == 0 && record.rotations == 1 && record.repeats == 1)
        }
    }
}

/// A worker that was stopped while the server's answer was on its way, and a client beside it.
final class StoppedWorkerFixture {
    static let start = 1_780_000_000
    let folder: SessionFolder
    let client: SessionManager
    let worker: PipedProgram

    init(_ kind: StubServer.Kind) async throws {
        folder = try SessionFolder(kind)
        #expect(unsafe setenv("XDG_STATE_HOME", folder.path + "/state", 1) == 0)
        try folder.clock.set(Self.start)
        try await folder.adopt()
        client = try folder.client(waitingFor: .seconds(1))
        await client.start()
        try folder.server.hold()
        try folder.clock.set(Self.start + 400)
        worker = try PipedProgram(
            BuiltProgram.path("session-worker"), [kind.rawValue, folder.path],
            environment: ["XDG_STATE_HOME": folder.path + "/state"])
        let server = folder.server
        try await until { try server.record().rotations == 1 }
        worker.stop()
        try server.release()
    }

    func end() {
        worker.signal(SIGKILL)
        worker.wait()
    }
}
