# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0

"""The official Python client goes through its life cycle at Signet's service. The first line of standard
input is {"url": ..., "key": ..., "tokens": {...}}; a line {"code": destination} on standard output
asks for what came to that person, {"link": destination} for the token of the link in it, {"visit":
address} for where a browser is sent, {"pass": seconds} for time to pass, and each is answered with a
line. The last line is {"done": [words]}.
"""

import base64
import hashlib
import hmac
import json
import struct
import sys
import time

from supabase_auth import SyncGoTrueClient, SyncMemoryStorage
from supabase_auth.errors import AuthApiError, AuthError, AuthWeakPasswordError

given = json.loads(sys.stdin.readline())
PHONE, EMAIL = "+14155551234", "ann@company.example"
words = []


def ask(**question):
    print(json.dumps(question), flush=True)
    return json.loads(sys.stdin.readline())["answer"]


def client(flow="implicit"):
    return SyncGoTrueClient(
        url=given["url"], headers={"apikey": given["key"]}, auto_refresh_token=False,
        storage=SyncMemoryStorage(), flow_type=flow)


def refused(call, code, kind=AuthApiError):
    try:
        call()
    except AuthError as error:
        assert isinstance(error, kind), repr(error)
        assert error.code == code, (error.code, error.message)
        words.append(code or "oauth")
    else:
        raise AssertionError(f"no {code}")


# A code by phone, and a wrong one before.
one = client()
one.sign_in_with_otp({"phone": PHONE, "options": {"data": {"name": "Ann"}}})
code = ask(code=PHONE)
wrong = "000000" if code != "000000" else "000001"
refused(lambda: client().verify_otp({"phone": PHONE, "token": wrong, "type": "sms"}), "otp_expired")
session = one.verify_otp({"phone": PHONE, "token": code, "type": "sms"}).session
assert session.user.phone == PHONE[1:] and session.user.user_metadata == {"name": "Ann"}
refused(lambda: client().verify_otp({"phone": PHONE, "token": code, "type": "sms"}), "otp_expired")
words.append("phone")
# Four an hour, for an address that signed in.
for _ in range(3):
    client().sign_in_with_otp({"phone": PHONE})
refused(lambda: client().sign_in_with_otp({"phone": PHONE}), "over_sms_send_rate_limit")

# The user, and a change of them.
user = one.get_user().user
assert user.id == session.user.id and user.identities[0].provider == "phone"
assert one.update_user({"data": {"theme": "dark"}}).user.user_metadata == {
    "name": "Ann", "theme": "dark"}
assert one.update_user({"email": EMAIL}).user.new_email == EMAIL
changed = one.verify_otp({"email": EMAIL, "token": ask(code=EMAIL), "type": "email_change"})
assert changed.user.id == user.id and changed.user.email == EMAIL
assert one.update_user({"password": "correct horse"}).user.id == user.id
words.append("user")

# A code by mail, a password, and a second one after a code.
ask(**{"pass": 61})
two = client()
two.sign_in_with_otp({"email": EMAIL})
assert two.verify_otp({"email": EMAIL, "token": ask(code=EMAIL), "type": "email"}).user.id == user.id
three = client()
assert three.sign_in_with_password({"email": EMAIL, "password": "correct horse"}).user.id == user.id
refused(
    lambda: client().sign_in_with_password({"email": EMAIL, "password": "wrong"}),
    "invalid_credentials")
ask(**{"pass": 700})
refused(lambda: three.update_user({"password": "battery staple"}), "reauthentication_needed")
three.reauthenticate()
nonce = ask(code=EMAIL)
assert three.update_user({"password": "battery staple", "nonce": nonce}).user.id == user.id
refused(lambda: two.get_user(two.get_session().access_token), "session_not_found")
words.append("password")

# Refreshed, lost, refreshed again; and reused after its successor, which ends the session.
first = three.get_session()
second = three.refresh_session().session
assert second.refresh_token != first.refresh_token
assert three.refresh_session(first.refresh_token).session.refresh_token == second.refresh_token
ask(**{"pass": 61})
third = three.refresh_session(second.refresh_token).session
refused(lambda: client().refresh_session(first.refresh_token), "refresh_token_already_used")
refused(lambda: client().refresh_session(third.refresh_token), "refresh_token_not_found")
refused(lambda: client().get_user(third.access_token), "session_not_found")
words.append("refresh")

# A sign-up with a password, and its code.
bob = client()
answer = bob.sign_up({
    "email": "bob@company.example", "password": "correct horse",
    "options": {"data": {"name": "Bob"}}})
assert answer.session is None and answer.user.user_metadata == {"name": "Bob"}
refused(
    lambda: bob.sign_in_with_password({"email": "bob@company.example", "password": "correct horse"}),
    "invalid_credentials")
signed_up = bob.verify_otp({
    "email": "bob@company.example", "token": ask(code="bob@company.example"), "type": "signup"})
assert signed_up.user.user_metadata == {"name": "Bob"}
assert bob.sign_in_with_password(
    {"email": "bob@company.example", "password": "correct horse"}).user.id == signed_up.user.id
refused(
    lambda: client().sign_up({"email": "carl@company.example", "password": "short"}),
    "weak_password", AuthWeakPasswordError)
bob.reset_password_for_email("bob@company.example")
assert bob.verify_otp({
    "email": "bob@company.example", "token": ask(code="bob@company.example"),
    "type": "recovery"}).user.id == signed_up.user.id

# A link to a page, which posts its token.
frida = client()
frida.sign_in_with_otp({
    "email": "frida@company.example",
    "options": {"email_redirect_to": "https://app.example/signed-in"}})
token = ask(link="frida@company.example")
posted = client().verify_otp({"token_hash": token, "type": "email"})
assert posted.session and posted.user.email == "frida@company.example"
refused(lambda: client().verify_otp({"token_hash": token, "type": "email"}), "otp_expired")
words.append("link")

# Another address, with the codes of both.
dora = client()
ends = ["dora@company.example", "doris@company.example"]
dora.sign_in_with_otp({"email": ends[0]})
grant = dora.verify_otp({"email": ends[0], "token": ask(code=ends[0]), "type": "email"})
assert dora.update_user({"email": ends[1]}).user.new_email == ends[1]
codes = [ask(code=end) for end in ends]
half = dora.verify_otp({"email": ends[0], "token": codes[0], "type": "email_change"})
assert half.session is None and dora.get_user().user.email == ends[0]
moved = dora.verify_otp({"email": ends[1], "token": codes[1], "type": "email_change"})
assert moved.session and moved.user.id == grant.user.id and moved.user.email == ends[1]
words.append("sign-up")

# A guest.
guest = client()
anonymous = guest.sign_in_anonymously({"options": {"data": {"theme": "light"}}})
assert anonymous.user.is_anonymous and anonymous.user.user_metadata == {"theme": "light"}
words.append("guest")

# A provider's ID token, with the right nonce and with others.
nonce = "n-0S6_WzA2Mj-n-0S6_WzA2Mj"
token = ask(token=hashlib.sha256(nonce.encode()).hexdigest())
sign_in = lambda **more: client().sign_in_with_id_token({"provider": "keycloak", "token": token, **more})
assert sign_in(nonce=nonce).user.app_metadata["provider"] == "keycloak"
refused(lambda: sign_in(nonce="n-0S6_WzA2Mj-another"), None)
refused(lambda: sign_in(), None)
refused(lambda: sign_in(nonce=hashlib.sha256(nonce.encode()).hexdigest()), None)
words.append("id_token")

# A second factor of that user, whose app is a few lines of Python.
def provider_client():
    made, nonce = client(), "n-0S6_WzA2Mj-n-0S6_WzA2Mk"
    token = ask(token=hashlib.sha256(nonce.encode()).hexdigest())
    made.sign_in_with_id_token({"provider": "keycloak", "token": token, "nonce": nonce})
    return made


def app_code(secret, steps=0):
    key = base64.b32decode(secret + "=" * (-len(secret) % 8))
    digest = hmac.digest(key, struct.pack(">Q", int(time.time()) // 30 + steps), "sha1")
    number = int.from_bytes(digest[digest[-1] & 15:][:4], "big") & 0x7FFFFFFF
    return f"{number % 1_000_000:06}"


def levels(of):
    level = of.mfa.get_authenticator_assurance_level()
    return level.current_level, level.next_level


kay, elsewhere = provider_client(), provider_client()
person = kay.get_user().user
assert person.user_metadata["name"] == "Ann Example" and person.user_metadata["picture"]
assert person.identities[0].identity_data["picture"] == person.user_metadata["picture"]
kay.update_user({"phone": "+14155550123"})
kay.verify_otp(
    {"phone": "+14155550123", "token": ask(code="+14155550123"), "type": "phone_change"})
assert levels(kay) == ("aal1", "aal1")
factor = kay.mfa.enroll({"factor_type": "totp", "friendly_name": "phone"})
assert factor.totp.uri.startswith("otpauth://totp/")
listed = kay.mfa.list_factors()
assert listed.totp == [] and [found.status for found in listed.all] == ["unverified"]
challenge = kay.mfa.challenge({"factor_id": factor.id})
shown = {"factor_id": factor.id, "challenge_id": challenge.id}
right = app_code(factor.totp.secret)
refused(
    lambda: kay.mfa.verify({**shown, "code": f"{(int(right) + 1) % 1_000_000:06}"}),
    "mfa_verification_failed")
assert kay.mfa.verify({**shown, "code": right}).user.id == person.id
assert levels(kay) == ("aal2", "aal2")
kay.refresh_session()
assert levels(kay) == ("aal2", "aal2") and kay.mfa.list_factors().totp[0].friendly_name == "phone"
refused(lambda: elsewhere.get_user(), "session_not_found")
later = provider_client()
assert levels(later) == ("aal1", "aal2")
refused(lambda: later.mfa.unenroll({"factor_id": factor.id}), "insufficient_aal")
later.mfa.challenge_and_verify(
    {"factor_id": factor.id, "code": app_code(factor.totp.secret, steps=1)})

# One way to sign in less, but never the last.
ways = later.get_user_identities().identities
assert sorted(way.provider for way in ways) == ["keycloak", "phone"]
later.unlink_identity(next(way for way in ways if way.provider == "phone"))
left = later.get_user_identities().identities
assert [way.provider for way in left] == ["keycloak"]
refused(lambda: later.unlink_identity(left[0]), "single_identity_not_deletable")
later.mfa.unenroll({"factor_id": factor.id})
later.refresh_session()
assert later.mfa.list_factors().all == [] and levels(later) == ("aal1", "aal1")
words.append("factors")

# A browser.
web = client("pkce")
address = web.sign_in_with_oauth({
    "provider": "keycloak", "options": {"redirect_to": "http://127.0.0.1:49152/callback"}}).url
code = ask(visit=address)
grant = web.exchange_code_for_session({"auth_code": code})
assert grant.user.app_metadata["providers"] == ["keycloak"]
refused(
    lambda: client().exchange_code_for_session({"auth_code": code, "code_verifier": "v" * 43}),
    "flow_state_not_found")
words.append("pkce")

# The end, of each kind.
devices = [client() for _ in range(4)]
for device in devices:
    device.sign_in_with_password({"email": "bob@company.example", "password": "correct horse"})
tokens = [device.get_session().access_token for device in devices]


def alive():
    found = []
    for token in tokens:
        try:
            found.append(client().get_user(token) is not None)
        except AuthApiError as error:
            assert error.code == "session_not_found"
            found.append(False)
    return found


devices[0].sign_out({"scope": "local"})
assert alive() == [False, True, True, True]
devices[1].sign_out({"scope": "others"})
assert alive() == [False, True, False, False]
devices[1].sign_out({"scope": "global"})
assert not any(alive())
words.append("sign-out")
print(json.dumps({"done": words}), flush=True)
