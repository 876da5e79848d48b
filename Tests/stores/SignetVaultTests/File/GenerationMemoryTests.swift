// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetVault
import Testing

/// How much a process keeps of the vaults that it has used.
@Suite("What a process remembers of its vaults") struct GenerationMemoryTests {
    private let memory = GenerationMemory(idleCount: 10)
    private let id: [UInt8] = [1, 2, 3]

    /// One use of a vault, in which its generation was read.
    private func use(_ number: Int, reading generation: UInt64) {
        let path = "/vaults/\(number)"
        memory.use(id, at: path).note(generation)
        memory.end(id, at: path)
    }

    private func remembered(_ number: Int) -> UInt64 {
        let path = "/vaults/\(number)"
        defer { memory.end(id, at: path) }
        return memory.use(id, at: path).value
    }

    @Test("It is bounded: those in use stay, and the ones that were used last")
    func bounded() {
        let open = memory.use(id, at: "open")
        open.note(7)
        use(0, reading: 9)
        for number in 1...1_000 {
            use(number, reading: 5)
            if number % 5 == 0 { #expect(remembered(0) == 9) }
            #expect(memory.count <= 21)
        }
        for number in 991...1_000 { #expect(remembered(number) == 5) }
        #expect(remembered(1) == 0)
        #expect(memory.use(id, at: "open") === open && open.value == 7)
    }

    @Test("Files that were opened and never unlocked displace nothing")
    func locked() {
        use(0, reading: 9)
        for number in 1...1_000 { use(number, reading: 0) }
        #expect(remembered(0) == 9 && memory.count == 1)
    }

    @Test("All objects of a file share what is remembered, and it outlives them")
    func shared() {
        let first = memory.use(id, at: "vault")
        #expect(memory.use(id, at: "vault") === first)
        #expect(memory.use([9], at: "vault") !== first)
        #expect(memory.use(id, at: "copy") !== first)
        first.note(4)
        memory.end(id, at: "vault")
        memory.end(id, at: "vault")
        #expect(memory.use(id, at: "vault").value == 4)
    }

    @Test("What is forgotten on purpose is forgotten by open objects too, and takes no room")
    func forgotten() {
        let open = memory.use(id, at: "open")
        open.note(7)
        memory.forget(id, at: "open")
        #expect(open.value == 0 && memory.use(id, at: "open") === open)
        use(1, reading: 5)
        for number in 1...1_000 { memory.forget(id, at: "/vaults/\(number)") }
        #expect(remembered(1) == 0 && memory.count == 1)
    }
}
