// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import SignetSupabaseAdmin
import TestSupport
import Testing

@Suite("Pages of users")
struct AdminPagesTests {
    static func id(_ number: Int) -> String {
        let digits = String(number)
        return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.utf8.count)
            + digits
    }

    /// The ids of each page until the end, or an error.
    static func pages(
        _ transport: FakeTransport, pageSize: Int = 2
    ) async throws -> (pages: [[String]], error: SupabaseError?) {
        let admin = try AdminFixture.admin(transport)
        var pages: [[String]] = []
        do throws(SupabaseError) {
            for try await page in admin.users(pageSize: pageSize) { pages.append(page.map(\.id)) }
            return (pages, nil)
        } catch {
            return (pages, error)
        }
    }

    /// A server that has these pages, and empty ones after them.
    static func server(_ pages: [[Int]]) -> FakeTransport {
        FakeTransport { request in
            for (index, page) in pages.enumerated()
            where request.url.query?.hasPrefix("page=\(index + 1)&") == true {
                return .body(AdminFixture.page(page.map(Self.id)))
            }
            return .body(AdminFixture.page([]))
        }
    }

    @Test("Pages follow one another until an empty one, also after a short one")
    func reads() async throws {
        let transport = Self.server([[1, 2], [3], [4, 5]])
        let found = try await Self.pages(transport)
        #expect(found.error == nil)
        #expect(found.pages == [[1, 2], [3], [4, 5]].map { $0.map(Self.id) })
        #expect(
            transport.requests.all.map { $0.url.query } == (1...4).map { "page=\($0)&per_page=2" })
        let none = try await Self.pages(Self.server([]))
        #expect(none.pages.isEmpty && none.error == nil)
    }

    /// A user who signed up in between moves one to the next page.
    @Test("A user who comes again on the next page ends nothing")
    func movedUsers() async throws {
        let found = try await Self.pages(Self.server([[1, 2], [2, 3]]))
        #expect(found.error == nil && found.pages.count == 2)
    }

    /// A server, or a cache before it, that does not read the number.
    @Test("The same pages again end with an error, whatever the circle", arguments: [1, 2, 3, 7])
    func circles(_ length: Int) async throws {
        let count = Counter()
        let transport = FakeTransport { _ in
            .body(AdminFixture.page([Self.id(count.next() % length)]))
        }
        let found = try await Self.pages(transport)
        #expect(found.error?.code == .invalidAnswer)
        #expect(transport.count <= 4 * length)
    }

    @Test("A page of more users than were asked for is refused")
    func largePages() async throws {
        let found = try await Self.pages(Self.server([[1, 2, 3]]))
        #expect(found.error?.code == .invalidAnswer && found.pages.isEmpty)
    }

    @Test(
        "An answer that is no page is refused, not taken for the end",
        arguments: [
            "{}", "[]", "", "null", #"{"users":null}"#, #"{"users":{}}"#, #"{"users":""}"#,
            #"{"users":[{}]}"#, #"{"users":[null]}"#, #"{"users":[],"users":[]}"#,
            #"{"users":[{"id":"a"},{"id":7}]}"#, #"{"users":[{"id":"a"}"#,
        ])
    func noPages(_ body: String) async throws {
        let found = try await Self.pages(FakeTransport(body: body))
        #expect(found.error?.code == .invalidAnswer && found.pages.isEmpty)
    }

    @Test("A page size out of range is refused before a request", arguments: [0, -1, 1_001, .max])
    func pageSizes(_ size: Int) async throws {
        let transport = Self.server([[1]])
        let found = try await Self.pages(transport, pageSize: size)
        #expect(found.error?.code == .invalidInput)
        #expect(transport.count == 0)
    }

    @Test("After an error there is no further page")
    func afterAnError() async throws {
        let transport = FakeTransport(.status(500))
        var iterator = try AdminFixture.admin(transport).users().makeAsyncIterator()
        await #expect(throws: SupabaseError.self) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
        #expect(transport.count == 1)
    }

    private final class Counter: Sendable {
        private let value = Locked(-1)

        func next() -> Int {
            value.withLock { value in
                value += 1
                return value
            }
        }
    }
}
