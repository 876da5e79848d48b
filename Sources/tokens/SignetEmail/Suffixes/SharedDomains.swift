// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Domains in which a service gives names, or addresses, to anyone who asks, and which the published
/// list of public suffixes does not have, or not yet in the copy of a stable distribution.
///
/// No company owns a shared domain, though a company may own a name in it
/// (`company.onmicrosoft.com`). They are checked beside every ``PublicSuffixSource``.
enum SharedDomains {
    /// Whether the domain is shared.
    static func contain(_ domain: EmailDomain) -> Bool { list?.isPublicSuffix(domain) ?? false }

    private static let list = try? PublicSuffixList(text: names)

    /// In the format of the published list: `*.name` is each name directly below.
    private static let names = """
        // Microsoft Entra: the first domain of each tenant, and of its hybrid mail.
        onmicrosoft.com
        mail.onmicrosoft.com
        onmicrosoft.us
        onmicrosoft.de
        partner.onmschina.cn
        // Azure: machines.
        *.cloudapp.azure.com
        // Amazon WorkMail: the first domain of each organization.
        awsapps.com
        // Amazon: buckets, machines and load balancers.
        *.amazonaws.com
        *.compute.amazonaws.com
        *.amazonaws.com.cn
        *.af-south-1.amazonaws.com
        *.ap-east-1.amazonaws.com
        *.ap-northeast-1.amazonaws.com
        *.ap-northeast-2.amazonaws.com
        *.ap-northeast-3.amazonaws.com
        *.ap-south-1.amazonaws.com
        *.ap-southeast-1.amazonaws.com
        *.ap-southeast-2.amazonaws.com
        *.ca-central-1.amazonaws.com
        *.eu-central-1.amazonaws.com
        *.eu-north-1.amazonaws.com
        *.eu-south-1.amazonaws.com
        *.eu-west-1.amazonaws.com
        *.eu-west-2.amazonaws.com
        *.eu-west-3.amazonaws.com
        *.me-south-1.amazonaws.com
        *.sa-east-1.amazonaws.com
        *.us-east-1.amazonaws.com
        *.us-east-2.amazonaws.com
        *.us-west-1.amazonaws.com
        *.us-west-2.amazonaws.com
        // Google: service accounts, whose addresses its ID tokens call verified, and applications.
        gserviceaccount.com
        *.gserviceaccount.com
        appspotmail.com
        // Google Workspace: the test alias of each customer.
        test-google-a.com
        *.test-google-a.com
        // Mailgun: the sandbox of each account.
        mailgun.org
        """
}
