# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0

"""A server that answers as Supabase's GoTrue does, on loopback, and nothing of it but what a client
sees: written from what its project publishes about requests, answers and errors.

The configuration comes as JSON in the first line of standard input:
    {"key": the publishable key, "secret": what access tokens are signed with (HS256),
     "lifetime": of access tokens in seconds, "autoconfirm": whether addresses count as confirmed}
Prints {"port": ...} once it listens, and ends when standard input does. Each further line is
answered with a line of JSON:
    {"do": "code", "to": D}           the last code that was sent to D: {"code": ...}
    {"do": "advance", "by": N}        its clock goes on by N seconds
    {"do": "ban", "to": D}            the user of D is banned, or with "off": true not any more
    {"do": "fail", "status": S, "body": B, "fields": {...}, "times": N, "path": P}
                                      the next N requests of path P are answered so, and not done
    {"do": "lose", "times": N}        the next N answers are lost: done, and the connection closed
    {"do": "counts"}                  requests by method and path, refusals, sessions, users
Beside /auth/v1 it has the route of an application's own server, DELETE /v1/auth/me.
"""

import base64
import hashlib
import hmac
import json
import re
import secrets
import sys
import threading
import time
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit, urlunsplit

settings = json.loads(sys.stdin.readline())
lock = threading.RLock()
# Its clock stands still between orders, where that of the tests does (ManualClock).
clock = 1_780_000_000
users, sessions, tokens, codes, flows = {}, {}, {}, {}, {}
failures, losses, counts = [], 0, {}
PHONE = re.compile(r"^[1-9][0-9]{1,14}$")
REUSE_INTERVAL = 10


def now():
    return clock


def stamp():
    return time.strftime("%Y-%m-%dT%H:%M:%S.123456Z", time.gmtime(now()))


class Refusal(Exception):
    def __init__(self, status, code, message):
        self.status, self.code, self.message = status, code, message


class OAuthRefusal(Exception):
    def __init__(self, error, description):
        self.error, self.description = error, description


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def signature(text):
    return encoded(hmac.new(settings["secret"].encode(), text.encode(), hashlib.sha256).digest())


def access_token(session):
    user = users[session["user"]]
    claims = {
        "iss": f"http://127.0.0.1:{port}/auth/v1", "aud": "authenticated", "sub": user["id"],
        "iat": now(), "exp": now() + settings["lifetime"], "email": user["email"],
        "phone": user["phone"], "role": "authenticated", "aal": "aal1", "session_id": session["id"],
        "is_anonymous": user["is_anonymous"], "app_metadata": user["app_metadata"],
        "user_metadata": user["user_metadata"], "amr": [{"method": "otp", "timestamp": now()}],
    }
    head = encoded(json.dumps({"alg": "HS256", "typ": "JWT"}).encode())
    text = head + "." + encoded(json.dumps(claims).encode())
    return text + "." + signature(text)


def bearer(handler):
    value = handler.headers.get("Authorization", "")
    if not value.startswith("Bearer "):
        raise Refusal(401, "no_authorization", "This endpoint requires a Bearer token")
    text = value[7:]
    head, _, rest = text.rpartition(".")
    try:
        payload = head.split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
    except (ValueError, IndexError):
        raise Refusal(403, "bad_jwt", "invalid JWT: unable to parse or verify signature")
    if not hmac.compare_digest(signature(head), rest):
        raise Refusal(403, "bad_jwt", "invalid JWT: unable to parse or verify signature")
    if claims["exp"] <= now():
        raise Refusal(403, "bad_jwt", f"invalid JWT: {text} is expired")
    if claims["sub"] not in users:
        raise Refusal(403, "user_not_found", "User from sub claim in JWT does not exist")
    if claims["session_id"] not in sessions:
        raise Refusal(403, "session_not_found", "Session from session_id claim does not exist")
    return users[claims["sub"]], sessions[claims["session_id"]]


def shown(user):
    return {name: value for name, value in user.items() if not name.startswith("_")}


def new_user(email="", phone="", data=None, password=None, provider=None):
    user = {
        "id": str(uuid.uuid4()), "aud": "authenticated", "role": "authenticated", "email": email,
        "phone": phone, "created_at": stamp(), "updated_at": stamp(),
        "is_anonymous": not email and not phone and provider is None,
        "app_metadata": {"provider": provider or ("phone" if phone else "email")},
        "user_metadata": data or {}, "identities": [], "_password": password, "_banned": False,
    }
    users[user["id"]] = user
    add_identity(user, provider or ("phone" if phone else "email"), email, phone)
    return user


def add_identity(user, provider, email, phone):
    if user["is_anonymous"] and not email and not phone:
        return
    user["identities"].append({
        "identity_id": str(uuid.uuid4()), "id": user["id"], "user_id": user["id"],
        "identity_data": {"sub": user["id"], "email": email, "phone": phone}, "provider": provider,
        "created_at": stamp(), "last_sign_in_at": stamp(), "updated_at": stamp(),
    })


def found(member, value):
    for user in users.values():
        if user[member] == value:
            return user
    return None


def destination(body):
    """The one of phone and email that is there, as GoTrue keeps it."""
    phone, email = body.get("phone") or "", body.get("email") or ""
    if bool(phone) == bool(email):
        raise Refusal(400, "validation_failed", "Only an email address or phone number, please")
    if email:
        return "email", email.lower()
    phone = phone.replace(" ", "")
    phone = phone[1:] if phone.startswith("+") else phone
    if not PHONE.match(phone):
        raise Refusal(400, "validation_failed", "Invalid phone number format (E.164 required)")
    return "phone", phone


def send_code(member, value, kind):
    last = codes.get(value)
    if last and now() - last["sent"] < 60:
        name = "over_sms_send_rate_limit" if member == "phone" else "over_email_send_rate_limit"
        raise Refusal(429, name, f"You can only request this after 60 seconds: {value}")
    codes[value] = {"code": f"{secrets.randbelow(1000000):06d}", "sent": now(), "kind": kind}


def signed_in(user):
    session = {"id": str(uuid.uuid4()), "user": user["id"], "active": None}
    sessions[session["id"]] = session
    return answer_with(session, new_refresh_token(session, None))


def new_refresh_token(session, parent):
    text = secrets.token_urlsafe(12)
    tokens[text] = {"session": session["id"], "parent": parent, "used": None}
    session["active"] = text
    return text


def answer_with(session, refresh_token):
    return {
        "access_token": access_token(session), "token_type": "bearer",
        "expires_in": settings["lifetime"], "expires_at": now() + settings["lifetime"],
        "refresh_token": refresh_token, "user": shown(users[session["user"]]),
    }


def refresh(text):
    token = tokens.get(text)
    if token is None or token["session"] not in sessions:
        raise Refusal(400, "refresh_token_not_found", f"Invalid Refresh Token: {text} Not Found")
    session = sessions[token["session"]]
    if users[session["user"]]["_banned"]:
        raise Refusal(400, "user_banned", "Invalid Refresh Token: User Banned")
    if token["used"] is None:
        token["used"] = now()
        return answer_with(session, new_refresh_token(session, text))
    if tokens[session["active"]]["parent"] == text or now() - token["used"] < REUSE_INTERVAL:
        return answer_with(session, session["active"])
    end(session)
    raise Refusal(400, "refresh_token_already_used", f"Invalid Refresh Token: {text} Already Used")


def end(session):
    sessions.pop(session["id"], None)


def with_query(address, parameters):
    """As Go writes it: what was there and what is new, sorted."""
    parts = urlsplit(address)
    query = urlencode(sorted(parse_qsl(parts.query) + parameters))
    return urlunsplit(parts._replace(query=query))


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do(self):
        global losses
        parts = urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        with lock:
            name = f"{self.command} {parts.path}"
            counts[name] = counts.get(name, 0) + 1
            for failure in failures:
                if failure["times"] > 0 and parts.path.endswith(failure["path"]):
                    failure["times"] -= 1
                    body = failure["body"].encode()
                    return self.write(failure["status"], body, failure.get("fields", {}))
            try:
                status, answer = self.answer(parts.path, dict(parse_qsl(parts.query)), body)
            except Refusal as refusal:
                counts[f"refused {refusal.code}"] = counts.get(f"refused {refusal.code}", 0) + 1
                status, answer = refusal.status, self.shape(refusal)
            except OAuthRefusal as refusal:
                status, answer = 400, {
                    "error": refusal.error, "error_description": refusal.description}
            if losses > 0:
                losses -= 1
                self.close_connection = True
                return self.connection.close()
        if status == 302:
            return self.write(302, b"", {"Location": answer})
        data = b"" if answer is None else json.dumps(answer).encode()
        version = {"X-Supabase-Api-Version": "2024-01-01"}
        self.write(status, data, {"Content-Type": "application/json", **version})

    do_GET = do_POST = do_PUT = do_DELETE = do

    def shape(self, refusal):
        more = {"weak_password": {"reasons": ["length"]}} if refusal.code == "weak_password" else {}
        if (self.headers.get("X-Supabase-Api-Version") or "") >= "2024-01-01":
            return {"code": refusal.code, "message": refusal.message, **more}
        return {"code": refusal.status, "error_code": refusal.code, "msg": refusal.message, **more}

    def write(self, status, data, fields):
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def answer(self, path, query, text):
        if path == "/v1/auth/me" and self.command == "DELETE":
            user, _ = bearer(self)
            remove(user)
            return 204, None
        if path == "/auth/v1/authorize":
            return 302, authorize(query)
        if self.headers.get("apikey") != settings["key"]:
            return 401, {"message": "Invalid API key", "hint": "Double check your API key."}
        try:
            body = json.loads(text) if text else {}
        except ValueError:
            raise Refusal(400, "bad_json", "Could not parse request body as JSON")
        call = (self.command, path.removeprefix("/auth/v1"))
        if call == ("POST", "/otp"):
            member, value = destination(body)
            if found(member, value) is None:
                if not body.get("create_user"):
                    raise Refusal(422, "otp_disabled", "Signups not allowed for otp")
            send_code(member, value, "sms" if member == "phone" else "email")
            codes[value]["challenge"] = body.get("code_challenge")
            codes[value]["redirect_to"] = query.get("redirect_to")
            codes[value]["data"] = body.get("data")
            return 200, {"message_id": "SM1"} if member == "phone" else {}
        if call == ("POST", "/verify"):
            return 200, verify(body)
        if call == ("POST", "/token"):
            return 200, grant(query.get("grant_type"), body)
        if call == ("POST", "/signup"):
            return sign_up(body)
        if call == ("POST", "/recover"):
            send_code("email", body["email"].lower(), "recovery")
            return 200, {}
        if call == ("POST", "/resend"):
            member, value = destination(body)
            send_code(member, value, body["type"])
            return 200, {}
        if call == ("GET", "/settings"):
            return 200, {
                "disable_signup": False, "mailer_autoconfirm": settings["autoconfirm"],
                "phone_autoconfirm": False, "external": {"email": True, "phone": True}}
        if call == ("GET", "/user"):
            return 200, shown(bearer(self)[0])
        if call == ("PUT", "/user"):
            return 200, shown(update(bearer(self)[0], body))
        if call == ("GET", "/reauthenticate"):
            user, _ = bearer(self)
            member = "phone" if user["phone"] else "email"
            send_code(member, user[member], "reauthentication")
            return 200, {}
        if call == ("POST", "/logout"):
            user, session = bearer(self)
            for other in list(sessions.values()):
                if other["user"] != user["id"]:
                    continue
                scope, is_own = query.get("scope", "global"), other["id"] == session["id"]
                if scope == "global" or (scope == "local") == is_own:
                    end(other)
            return 204, None
        raise Refusal(404, "unknown", "404: not found")


def verify(body):
    member, value = destination(body)
    sent = codes.get(value)
    kind = body.get("type")
    is_good = sent is not None and now() - sent["sent"] <= 3600 and kind == sent["kind"]
    if not is_good or body.get("token") != sent["code"]:
        raise Refusal(403, "otp_expired", f"Token {body.get('token')} has expired or is invalid")
    del codes[value]
    if kind in ("phone_change", "email_change"):
        user = next(user for user in users.values() if user.get("new_" + member) == value)
        del user["new_" + member]
        user[member], user["is_anonymous"] = value, False
        add_identity(user, member, user["email"], user["phone"])
    else:
        user = found(member, value) or new_user(**{member: value, "data": sent.get("data")})
    user[member + "_confirmed_at"] = stamp()
    return signed_in(user)


def grant(kind, body):
    if kind == "refresh_token":
        return refresh(body.get("refresh_token"))
    if kind == "password":
        member, value = destination(body)
        user = found(member, value)
        if user is None or user["_password"] is None or user["_password"] != body.get("password"):
            raise Refusal(400, "invalid_credentials", "Invalid login credentials")
        return signed_in(user)
    if kind == "id_token":
        parts = (body.get("id_token") or "").split(".")
        try:
            claims = json.loads(base64.urlsafe_b64decode(parts[1] + "=="))
        except (ValueError, IndexError):
            raise OAuthRefusal("invalid request", "Bad ID token")
        nonce, wanted = body.get("nonce"), claims.get("nonce")
        if bool(nonce) != bool(wanted):
            text = "Passed nonce and nonce in id_token should either both exist or not."
            raise OAuthRefusal("invalid request", text)
        if nonce and hashlib.sha256(nonce.encode()).hexdigest() != wanted:
            raise OAuthRefusal("invalid nonce", "Nonces mismatch")
        email = claims.get("email", "")
        user = found("email", email) or new_user(email=email, provider=body["provider"])
        if claims.get("email_verified"):
            user["email_confirmed_at"] = stamp()
        return signed_in(user)
    if kind == "pkce":
        flow = flows.pop(body.get("auth_code"), None)
        if flow is None:
            raise Refusal(404, "flow_state_not_found", "no valid flow state found")
        verifier = body.get("code_verifier") or ""
        if encoded(hashlib.sha256(verifier.encode()).digest()) != flow["challenge"]:
            raise Refusal(400, "bad_code_verifier", "code challenge does not match the verifier")
        return signed_in(flow["user"])
    raise Refusal(400, "validation_failed", "unsupported_grant_type")


def authorize(query):
    """The provider's page admits everybody, except for the provider "deny"."""
    address = query["redirect_to"]
    if query["provider"] == "deny":
        reason = [("error", "access_denied"), ("error_code", "bad_oauth_callback"),
                  ("error_description", "the person said no: " + query.get("state", ""))]
        return with_query(address, reason) + "#" + urlencode(reason) + "&sb="
    if query.get("code_challenge_method", "").lower() != "s256":
        raise Refusal(400, "validation_failed", "code challenge method must be s256 here")
    code = str(uuid.uuid4())
    email = "ann@company.example"
    user = found("email", email) or new_user(email=email, provider=query["provider"])
    flows[code] = {"challenge": query["code_challenge"], "user": user}
    return with_query(address, [("code", code)])


def sign_up(body):
    if not body.get("email") and not body.get("phone"):
        return 200, signed_in(new_user(data=body.get("data")))
    member, value = destination(body)
    if len(body.get("password") or "") < 8:
        raise Refusal(422, "weak_password", "Password should be at least 8 characters.")
    user = found(member, value)
    if user is None:
        user = new_user(**{member: value, "data": body.get("data"), "password": body["password"]})
        if settings["autoconfirm"]:
            user[member + "_confirmed_at"] = stamp()
            return 200, signed_in(user)
    send_code(member, value, "sms" if member == "phone" else "signup")
    return 200, shown(user)


def update(user, body):
    for member in ("email", "phone"):
        if body.get(member):
            member, value = destination({member: body[member]})
            if found(member, value) is not None:
                raise Refusal(422, member + "_exists", f"{value} has already been registered")
            user["new_" + member] = value
            send_code(member, value, member + "_change")
    if body.get("password"):
        address = user["phone"] or user["email"]
        if not body.get("nonce") or codes.get(address, {}).get("code") != body["nonce"]:
            raise Refusal(400, "reauthentication_needed", "Password update requires a nonce")
        user["_password"] = body["password"]
    user["user_metadata"].update(body.get("data") or {})
    user["updated_at"] = stamp()
    return user


def remove(user):
    del users[user["id"]]
    for session in [session for session in sessions.values() if session["user"] == user["id"]]:
        end(session)


def obey(command):
    global clock, losses
    what = command["do"]
    if what == "code":
        return {"code": codes[command["to"]]["code"]}
    if what == "advance":
        clock += command["by"]
    elif what == "ban":
        user = found("phone", command["to"]) or found("email", command["to"])
        user["_banned"] = not command.get("off", False)
    elif what == "fail":
        failures.append(command)
    elif what == "lose":
        losses += command["times"]
    elif what == "counts":
        return {"counts": counts, "sessions": len(sessions), "users": len(users)}
    return {}


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
port = server.server_address[1]
threading.Thread(target=server.serve_forever, daemon=True).start()
print(json.dumps({"port": port}), flush=True)
for line in sys.stdin:
    with lock:
        print(json.dumps(obey(json.loads(line))), flush=True)
