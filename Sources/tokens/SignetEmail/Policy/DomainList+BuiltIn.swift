// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension DomainList {
    /// Well-known providers that give an address to anyone. The list is short and dates from 2025:
    /// load a newer list as well.
    public static let consumer = DomainList(
        builtIn: """
            gmail.com googlemail.com
            outlook.com outlook.de outlook.fr outlook.es outlook.it outlook.jp outlook.co.id outlook.com.br
            hotmail.com hotmail.co.uk hotmail.de hotmail.fr hotmail.it hotmail.es hotmail.co.jp hotmail.com.br
            live.com live.co.uk live.de live.fr live.it live.nl live.se live.com.au msn.com passport.com
            yahoo.com yahoo.co.uk yahoo.de yahoo.fr yahoo.it yahoo.es yahoo.ca yahoo.co.in yahoo.in yahoo.co.jp
            yahoo.com.br yahoo.com.au yahoo.com.mx yahoo.com.ar yahoo.com.tw yahoo.com.hk yahoo.com.sg yahoo.co.id
            ymail.com rocketmail.com myyahoo.com
            icloud.com me.com mac.com
            aol.com aol.co.uk aim.com
            proton.me protonmail.com protonmail.ch pm.me tutanota.com tutanota.de tuta.com tuta.io keemail.me
            fastmail.com fastmail.fm hey.com zohomail.com zohomail.eu mailfence.com posteo.de posteo.net mailbox.org
            gmx.de gmx.net gmx.at gmx.ch gmx.com gmx.co.uk web.de t-online.de freenet.de arcor.de mail.com email.com
            bluewin.ch chello.at
            orange.fr wanadoo.fr free.fr laposte.net sfr.fr neuf.fr
            libero.it virgilio.it tiscali.it alice.it tin.it
            ziggo.nl kpnmail.nl planet.nl hetnet.nl xs4all.nl telenet.be skynet.be
            btinternet.com sky.com virginmedia.com ntlworld.com talktalk.net blueyonder.co.uk
            comcast.net verizon.net att.net sbcglobal.net bellsouth.net cox.net charter.net earthlink.net juno.com
            rogers.com shaw.ca sympatico.ca bigpond.com optusnet.com.au xtra.co.nz
            uol.com.br bol.com.br terra.com.br ig.com.br
            mail.ru inbox.ru list.ru bk.ru yandex.ru yandex.com ya.ru rambler.ru ukr.net
            wp.pl o2.pl onet.pl interia.pl seznam.cz centrum.cz azet.sk freemail.hu citromail.hu abv.bg
            qq.com foxmail.com 163.com 126.com yeah.net sina.com sina.cn sohu.com 139.com 189.cn aliyun.com
            naver.com hanmail.net daum.net nate.com docomo.ne.jp ezweb.ne.jp softbank.ne.jp
            rediffmail.com
            """)

    /// Well-known providers of disposable addresses. The list is short and dates from 2025: load a
    /// newer list as well.
    public static let disposable = DomainList(
        builtIn: """
            mailinator.com mailinator.net mailinator.org
            guerrillamail.com guerrillamail.net guerrillamail.org guerrillamail.info guerrillamail.biz
            guerrillamail.de guerrillamailblock.com sharklasers.com grr.la spam4.me pokemail.net
            10minutemail.com 10minutemail.net 20minutemail.com minuteinbox.com
            temp-mail.org temp-mail.io tempmail.com tempmail.net tempmailo.com tempmail.plus tempail.com tempr.email
            temporary-mail.net
            yopmail.com yopmail.fr yopmail.net cool.fr.nf jetable.fr.nf
            trashmail.com trashmail.net trashmail.de trashmail.me trash-mail.com wegwerfmail.de wegwerfmail.net
            throwawaymail.com throwaway.email dispostable.com discard.email discardmail.com discardmail.de
            maildrop.cc mailnesia.com mailcatch.com mailnull.com mailsac.com mailpoof.com mintemail.com mohmal.com
            moakt.com moakt.cc emailondeck.com fakeinbox.com fakemail.net getnada.com getairmail.com
            spamgourmet.com spamex.com mytrashmail.com mytemp.email burnermail.io inboxkitten.com inboxbear.com
            1secmail.com 1secmail.net 1secmail.org byom.de jetable.org nowmymail.com einrot.com
            """)

    /// Well-known services whose addresses forward to a hidden address.
    public static let privateRelay = DomainList(
        builtIn: """
            privaterelay.appleid.com
            mozmail.com relay.firefox.com
            duck.com
            simplelogin.com simplelogin.co simplelogin.fr slmail.me aleeas.com 8shield.net
            passmail.net passmail.com passinbox.com passfwd.com
            anonaddy.com anonaddy.me addy.io
            """)

    /// A list from a literal in this file. A test checks that each word is a domain, so that none
    /// is left out.
    private init(builtIn text: String) {
        var domains: [EmailDomain] = []
        for word in text.split(whereSeparator: \.isWhitespace) {
            if let domain = try? EmailDomain(String(word)) { domains.append(domain) }
        }
        self.init(domains)
    }
}
