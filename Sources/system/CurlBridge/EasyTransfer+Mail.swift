// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CSignetCurl

/// Mail over the same thread, with the same rules for TLS and time.
extension EasyTransfer {
    /// Sets the options of a message: its sender, its recipient, its text and who signs in.
    func setMail(_ mail: MailRequest) throws(CurlFailure) -> [Int32] {
        guard mail.isSendable else { throw CurlFailure(.unsendable) }
        try add(mail.recipient)
        var codes = [
            unsafe ccurl_set_mail_place(easy, mail.protection.rawValue),
            unsafe ccurl_set_text(easy, CURLOPT_PROXY, ""),
            unsafe ccurl_set_text(easy, CURLOPT_MAIL_FROM, mail.sender),
            unsafe ccurl_set_list(easy, CURLOPT_MAIL_RCPT, list),
            setUpload(Int64(mail.message.count)),
        ]
        if let (user, password) = mail.credentials {
            codes += [
                unsafe ccurl_set_text(easy, CURLOPT_USERNAME, user),
                unsafe ccurl_set_text(easy, CURLOPT_PASSWORD, password),
            ]
        }
        return codes
    }

    /// Takes a line of a reply. An accepted message counts as sent at once, whatever the server
    /// does with the goodbye: otherwise it would be sent again.
    func takeReply(_ line: UnsafeRawBufferPointer) -> Bool {
        guard unsafe replies.take(line) else { return false }
        if replies.isAccepted {
            transfer.end(.success(CurlAnswer(status: 250, fields: [], body: [])))
        }
        return true
    }

    /// Why a message was not sent.
    func mailFailure(_ code: Int32) -> CurlFailure? {
        let reply = unsafe Int(ccurl_reply(easy))
        switch (code, reply) {
        // LOGIN_DENIED, AUTH_ERROR. RFC 4954, section 6: the message is not at fault.
        case (67, _), (94, _), (_, 530), (_, 534), (_, 535), (_, 538):
            return CurlFailure(.notSignedIn, code: code, reply: reply)
        // SEND_ERROR: for the sender's or recipient's address, or for DATA.
        case (_, 500...599) where code == 55 || replies.hasAskedForMessage:
            return CurlFailure(.messageRefused, code: code, reply: reply)
        // WEIRD_SERVER_REPLY, REMOTE_ACCESS_DENIED, SEND_ERROR and RECV_ERROR, with a reply that
        // refuses.
        case (8, 400...599), (9, 400...599), (55, 400...599), (56, 400...599):
            return CurlFailure(.messagePutOff, code: code, reply: reply)
        default:
            return code == 0 ? CurlFailure(.unreachable, reply: reply) : nil
        }
    }

    private func setUpload(_ count: Int64) -> Int32 {
        // Unretained, as for the receivers.
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        return unsafe ccurl_set_upload(
            easy,
            { octets, size, count, context in
                let (room, isTooMuch) = size.multipliedReportingOverflow(by: count)
                guard let octets = unsafe octets, let context = unsafe context, !isTooMuch else {
                    return 0
                }
                let itself = unsafe Unmanaged<EasyTransfer>.fromOpaque(context)
                return unsafe itself.takeUnretainedValue().copyNextOctets(
                    to: UnsafeMutableRawBufferPointer(start: octets, count: room))
            }, context, count)
    }

    /// The next octets of the message; 0 at its end.
    @unsafe
    private func copyNextOctets(to room: UnsafeMutableRawBufferPointer) -> Int {
        let rest = (transfer.request.mail?.message ?? []).dropFirst(sentByteCount)
        let portion = rest.prefix(room.count)
        unsafe room.copyBytes(from: portion)
        sentByteCount += portion.count
        return portion.count
    }
}
