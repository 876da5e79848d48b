// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetEmail

// An address as SMTP defines it. What only mail clients accept is refused, with the reason.
let mailbox = try Mailbox("Ada@Company.example")
print(mailbox.domain, mailbox.localPart)

// The built-in lists are small and become outdated: add newer ones.
let newer = "mailinator.example\ntrash.example\n"
let disposable = try DomainList.disposable.union(DomainList(text: newer))

// The list of publicsuffix.org, if you have it.
let text = "com\nco.uk\n*.ck\n!www.ck\n"
let suffixes = try PublicSuffixList(text: text)

let policy = try BusinessEmailPolicy(
    allowing: ["company.example", .includeSubdomains("partner.example")],
    publicSuffixes: suffixes, lists: EmailDomainLists(disposable: disposable))
print(policy.verdict(forUnverifiedText: "a@trash.example"))
