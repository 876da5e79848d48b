// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Reads a list of domains, one a line.
struct DomainListReader {
    func read(_ octets: [UInt8]) throws(EmailListError) -> Set<EmailDomain> {
        guard octets.count <= DomainList.maximumByteCount else {
            throw EmailListError(
                .tooLarge, "The list is larger than \(DomainList.maximumByteCount) octets.")
        }
        var domains: Set<EmailDomain> = []
        for (number, line) in Lines.numbered(octets) {
            let entry = ASCII.trimmed(line.prefix { $0 != ASCII.numberSign })
            guard !entry.isEmpty else { continue }
            let domain: EmailDomain
            do throws(MailboxError) {
                domain = try EmailDomain(octets: entry)
            } catch {
                throw EmailListError(.line, line: number, "It is no domain. \(error.message)")
            }
            domains.insert(domain)
            guard domains.count <= DomainList.maximumCount else {
                throw EmailListError(
                    .tooLarge, line: number,
                    "The list names more than \(DomainList.maximumCount) domains.")
            }
        }
        guard !domains.isEmpty else { throw EmailListError(.empty, "The list names no domain.") }
        return domains
    }
}
