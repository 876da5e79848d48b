// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE

/// Who ECDH is between, as a token is really encrypted; nobody for other algorithms.
struct Parties {
    let sender: TokenSender?
    let partyUInfo: [UInt8]
    let partyVInfo: [UInt8]

    init(_ algorithm: KeyManagementAlgorithm, senders: [TokenSender], choices: inout Choices) {
        guard algorithm.kind == .agreement, !senders.isEmpty else {
            sender = nil
            partyUInfo = []
            partyVInfo = []
            return
        }
        sender = choices.element(of: senders)
        let areNamed = choices.happens(96)
        partyUInfo = areNamed ? choices.pattern(below: 40) : []
        partyVInfo = areNamed ? choices.pattern(below: 40) : []
    }

    func write(to draft: inout HeaderDraft) {
        guard let sender else { return }
        draft.add("epk", json: sender.publicJWK)
        for (name, info) in [("apu", partyUInfo), ("apv", partyVInfo)] where !info.isEmpty {
            draft.add(name, text: Base64URL.encode(info))
        }
    }

    /// Whether a header has the same parties.
    func areNamed(in members: [String: JSONValue]) -> Bool {
        guard let sender else { return true }
        guard case .object(let key)? = members["epk"], key["x"] == .string(sender.x) else {
            return false
        }
        return [("apu", partyUInfo), ("apv", partyVInfo)].allSatisfy { name, info in
            members[name] ?? .string("") == .string(Base64URL.encode(info))
        }
    }
}
