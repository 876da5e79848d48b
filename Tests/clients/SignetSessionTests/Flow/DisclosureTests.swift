// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetSession
import Testing

@Suite("Printing a flow")
struct DisclosureTests {
    private static let hidden = [
        "555 01 23", "493817", "account-", "another-", "local-", "username-", "Full ",
    ]

    @Test("No flow, event or effect shows an address, a code, an id or a name")
    func printing() {
        // The events of one person are the same in each situation.
        var texts = EventKind.allCases.reduce(into: Set<String>()) { texts, kind in
            let event = kind.event(.anna, answering: Walk.stranger, of: Walk.stranger)
            texts.formUnion(event.map(Self.prints(of:)) ?? [])
        }
        for situation in Situation.allCases {
            let walk = Walk(through: situation.path)
            texts.formUnion(Self.prints(of: walk.flow))
            for kind in EventKind.allCases {
                var next = walk
                for effect in next.handle(kind) { texts.formUnion(Self.prints(of: effect)) }
            }
        }
        #expect(texts.contains { $0.contains("codeSent(Destination(redacted))") })
        for word in Self.hidden {
            #expect(!texts.contains { $0.contains(word) }, "\(word)")
            let bytes = word.utf8.map(String.init).joined(separator: ", ")
            #expect(!texts.contains { $0.contains(bytes) }, "\(word), as numbers")
        }
    }

    @Test("The search finds the planted words")
    func control() {
        let texts = [
            Persons.anna.destination.text, Persons.anna.user.id.text, Persons.anna.legacy.text,
        ]
        for text in texts { #expect(Self.hidden.contains { text.contains($0) }) }
        Persons.anna.code.withExposedBytes { #expect($0.count == 11) }
    }

    @Test("A locked flow looks the same for every user")
    func lockedFlow() {
        let configuration = AuthFlow.Configuration(profile: .required)
        for locking in [EventKind.lock, .sessionLocked] {
            for situation in [Situation.keeping, .migrating, .needsProfile, .signedIn] {
                let path = situation.path + [locking]
                let anna = Walk(configuration, .anna, through: path)
                let bert = Walk(configuration, .bert, through: path)
                #expect(anna.situation == .locked)
                #expect(anna.flow == bert.flow, "\(situation)")
                #expect(anna.flow.user == nil)
            }
        }
    }

    @Test("A signed-out flow looks the same for every former user")
    func signedOutFlow() {
        let configuration = AuthFlow.Configuration(profile: .required)
        for situation in Situation.allCases {
            let path = situation.path + [.signOut]
            let anna = Walk(configuration, .anna, through: path)
            let bert = Walk(configuration, .bert, through: path)
            #expect(anna.flow.state == .guest)
            #expect(anna.flow == bert.flow, "\(situation)")
        }
    }

    @Test("Addresses, ids and codes have bounds")
    func bounds() {
        #expect(AuthFlow.Destination("") == nil)
        #expect(AuthFlow.Destination("a\n") == nil)
        #expect(AuthFlow.Destination("a\u{7f}") == nil)
        #expect(AuthFlow.Destination(String(repeating: "a", count: 320)) != nil)
        #expect(AuthFlow.Destination(String(repeating: "a", count: 321)) == nil)
        #expect(AuthFlow.UserID(String(repeating: "a", count: 255)) != nil)
        #expect(AuthFlow.Code("") == nil)
        #expect(AuthFlow.Code(String(repeating: "1", count: 128)) != nil)
        #expect(AuthFlow.Code(String(repeating: "1", count: 129)) == nil)
        #expect(AuthFlow.Code("123456") == AuthFlow.Code("123456"))
        #expect(AuthFlow.Code("123456") != AuthFlow.Code("123457"))
    }

    private static func prints(of value: some Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        return [String(describing: value), String(reflecting: value), dumped]
    }
}
