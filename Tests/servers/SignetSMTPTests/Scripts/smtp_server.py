# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0

"""Mail servers on loopback: aiosmtpd, and some that misbehave.

The first line of standard input is {"folder": F}: where the certificate goes. Prints {"ports": {...}, "authority": A}
once all listen. Each further line is answered with the messages that were accepted since the last one. It ends when
standard input does.

    tls, starttls, plain    aiosmtpd, with TLS from the first octet, with STARTTLS, without
    auth                    as starttls; wants the user "user" with the password "p w" first
    greeting, flood, rubbish, silent    no mail servers

By the recipient's local part: "r550" and "r451" are refused as recipients, "d554" and "d452" once the message is there,
"cut" has the connection broken then, "slow" waits a minute as a recipient, "quit" after QUIT, "multi" is accepted in
two lines.
"""

import asyncio
import base64
import datetime
import email
import email.policy
import json
import os
import ssl
import sys
import threading

from aiosmtpd.smtp import SMTP, AuthResult
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

messages = []


class Handler:
    async def handle_RCPT(self, server, session, envelope, address, options):
        name = address.split("@")[0]
        if name in ("r550", "r451"):
            return f"{name[1:]} no"
        if name == "slow":
            await asyncio.sleep(60)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        name = envelope.rcpt_tos[0].split("@")[0]
        session.waits = name == "quit"
        if name in ("d554", "d452"):
            return f"{name[1:]} no"
        if name == "cut":
            server.transport.abort()
            return "250 OK"
        parsed = email.message_from_bytes(envelope.original_content, policy=email.policy.default)
        messages.append({
            "from": envelope.mail_from, "recipients": envelope.rcpt_tos, "greeting": session.host_name,
            "isEncrypted": session.ssl is not None or server.transport.get_extra_info("ssl_object") is not None,
            "isSignedIn": bool(session.authenticated), "raw": base64.b64encode(envelope.original_content).decode(),
            "subject": str(parsed["subject"]), "sender": str(parsed["from"]), "to": str(parsed["to"]),
            "id": str(parsed["message-id"]), "date": int(parsed["date"].datetime.timestamp()),
            "body": parsed.get_content(), "type": parsed.get_content_type(),
            "names": [name.lower() for name in parsed.keys()],
            "defects": len(parsed.defects) + sum(len(value.defects) for value in parsed.values()),
        })
        return "250-first\r\n250 OK" if name == "multi" else "250 OK"

    async def handle_QUIT(self, server, session, envelope):
        if getattr(session, "waits", False):
            await asyncio.sleep(60)
        return "221 Bye"


def authenticate(server, session, envelope, mechanism, data):
    # Else the server leaves the answer to this function.
    return AuthResult(success=(data.login, data.password) == (b"user", b"p w"), handled=False)


def certificate(folder):
    """Of a host named localhost, by an authority of its own."""
    now = datetime.datetime.now(datetime.timezone.utc)

    def made(name, key, issuer, by, more):
        builder = (
            x509.CertificateBuilder().subject_name(x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)]))
            .issuer_name(x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, issuer)])).public_key(key.public_key())
            .serial_number(x509.random_serial_number()).not_valid_before(now - datetime.timedelta(days=1))
            .not_valid_after(now + datetime.timedelta(days=1)))
        for extension, critical in more:
            builder = builder.add_extension(extension, critical)
        return builder.sign(by, hashes.SHA256())

    root, leaf = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    authority = made("authority", root, "authority", root, [(x509.BasicConstraints(True, None), True)])
    own = made("localhost", leaf, "authority", root, [(x509.SubjectAlternativeName([x509.DNSName("localhost")]), False)])
    paths = [os.path.join(folder, name) for name in ("authority.pem", "own.pem", "key.pem")]
    pem = serialization.Encoding.PEM
    contents = [authority.public_bytes(pem), own.public_bytes(pem), leaf.private_bytes(
        pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())]
    for path, content in zip(paths, contents):
        with open(path, "wb") as file:
            file.write(content)
    return paths


async def greeting(reader, writer):
    writer.write(b"554 no mail here\r\n")
    await writer.drain()
    await reader.read(1000)
    writer.close()


async def flood(reader, writer):
    try:
        writer.write(b"220 hello\r\n")
        for _ in range(10_000):
            writer.write(b"250-" + b"x" * 500 + b"\r\n")
            await writer.drain()
    except OSError:
        pass
    writer.close()


async def rubbish(reader, writer):
    writer.write(b"\0\xff\xfe not a server \r\n\r\n\r\n")
    await writer.drain()
    writer.close()


async def silent(reader, writer):
    await reader.read(1000)


async def main():
    folder = json.loads(sys.stdin.readline())["folder"]
    authority, own, key = certificate(folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(own, key)
    loop, handler = asyncio.get_running_loop(), Handler()
    factories = {
        "tls": (lambda: SMTP(handler, auth_require_tls=False, authenticator=authenticate), context),
        "starttls": (lambda: SMTP(handler, tls_context=context, require_starttls=True), None),
        "plain": (lambda: SMTP(handler), None),
        "auth": (lambda: SMTP(handler, tls_context=context, authenticator=authenticate, auth_required=True), None),
    }
    ports = {}
    for name, (factory, tls) in factories.items():
        server = await loop.create_server(factory, "127.0.0.1", 0, ssl=tls)
        ports[name] = server.sockets[0].getsockname()[1]
    for name, serve in {"greeting": greeting, "flood": flood, "rubbish": rubbish, "silent": silent}.items():
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        ports[name] = server.sockets[0].getsockname()[1]

    def answer():
        taken, messages[:] = list(messages), []
        print(json.dumps({"messages": taken}), flush=True)

    def obey():
        for _ in sys.stdin:
            loop.call_soon_threadsafe(answer)
        os._exit(0)

    threading.Thread(target=obey, daemon=True).start()
    print(json.dumps({"ports": ports, "authority": authority}), flush=True)
    await asyncio.Event().wait()


asyncio.run(main())
