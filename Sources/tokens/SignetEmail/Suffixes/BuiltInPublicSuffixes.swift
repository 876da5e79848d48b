// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Some well-known public suffixes: enough to catch `co.uk` and `github.io` in a configuration
/// without a file.
///
/// It is **not** the published list, which has ten thousand rules, changes every week, and is read
/// by ``PublicSuffixList``. A domain that is missing here may still be a public suffix.
public struct BuiltInPublicSuffixes: PublicSuffixSource {
    /// The source.
    public init() {}

    /// Whether the domain is in ``domains``.
    public func isPublicSuffix(_ domain: EmailDomain) -> Bool { Self.set.contains(domain) }

    /// The suffixes in this source.
    public static var domains: [EmailDomain] { Array(set) }

    private static let set: Set<EmailDomain> = Set(
        names.split(whereSeparator: \.isWhitespace).compactMap { try? EmailDomain(String($0)) })

    private static let names = """
        ac.uk co.uk gov.uk ltd.uk me.uk net.uk nhs.uk org.uk plc.uk police.uk
        com.au edu.au gov.au id.au net.au org.au
        ac.nz co.nz geek.nz govt.nz net.nz org.nz school.nz
        ac.za co.za gov.za org.za
        ac.in co.in firm.in gen.in gov.in ind.in net.in org.in
        ac.jp ad.jp co.jp ed.jp go.jp gr.jp lg.jp ne.jp or.jp
        ac.kr co.kr go.kr ne.kr or.kr re.kr
        ac.cn com.cn edu.cn gov.cn net.cn org.cn
        com.hk org.hk com.tw org.tw com.sg edu.sg com.my com.ph com.vn ac.th co.th co.id ac.id
        com.br gov.br net.br org.br com.ar com.mx org.mx com.co com.pe com.ve com.ec com.uy
        com.tr org.tr gov.tr co.il ac.il org.il com.sa com.eg com.ng co.ke com.pk com.bd com.qa
        ac.at co.at gv.at or.at com.pl net.pl org.pl com.ua org.ua com.ru com.pt com.es com.gr com.cy com.mt
        uk.com us.com eu.com de.com br.com cn.com ru.com sa.com za.com jpn.com co.com com.de
        uk.net gb.net se.net hu.net in.net us.org eu.org js.org
        github.io gitlab.io pages.dev workers.dev vercel.app netlify.app herokuapp.com web.app firebaseapp.com
        appspot.com azurewebsites.net cloudapp.net cloudfront.net elasticbeanstalk.com onrender.com
        fly.dev blogspot.com myshopify.com readthedocs.io a.run.app cloudfunctions.net deno.dev
        r2.dev now.sh repl.co wixsite.com altervista.org bitbucket.io streamlit.app
        azurestaticapps.net azure-mobile.net s3.amazonaws.com us-east-1.amazonaws.com translate.goog
        duckdns.org dyndns.org ddns.net no-ip.org hopto.org zapto.org synology.me ngrok.io trycloudflare.com
        """
}

extension PublicSuffixSource where Self == BuiltInPublicSuffixes {
    /// Some well-known public suffixes.
    public static var builtIn: BuiltInPublicSuffixes { BuiltInPublicSuffixes() }
}
