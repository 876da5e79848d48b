# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0

"""The official Python client makes every call that Signet makes, in the same order, to a server at
the port that standard input names: {"port": ..., "key": ..., "verifier": ...}. Prints the address
that it sends a browser to: {"url": ...}.
"""

import json
import sys

from supabase_auth import SyncGoTrueClient, SyncMemoryStorage

given = json.load(sys.stdin)


def client(flow):
    return SyncGoTrueClient(
        url=f"http://127.0.0.1:{given['port']}/auth/v1",
        headers={"apikey": given["key"], "x-app-version": "1.2.3"},
        auto_refresh_token=False, storage=SyncMemoryStorage(), flow_type=flow)


one = client("implicit")
PHONE, EMAIL = "+14155551234", "ann@company.example"

one.sign_in_with_otp({"phone": PHONE})
one.sign_in_with_otp({"phone": PHONE, "options": {
    "channel": "whatsapp", "should_create_user": False, "captcha_token": "human",
    "data": {"name": "Ann"}}})
one.verify_otp({"phone": PHONE, "token": "012345", "type": "sms"})
one.sign_in_with_otp({"email": EMAIL})
one.verify_otp({"email": EMAIL, "token": "012345", "type": "email"})
one.verify_otp({"email": EMAIL, "token": "012345", "type": "signup"})
one.verify_otp({"email": EMAIL, "token": "012345", "type": "recovery"})
one.verify_otp({"email": EMAIL, "token": "012345", "type": "email_change"})
one.verify_otp({"email": EMAIL, "token": "012345", "type": "invite"})
one.verify_otp({"phone": PHONE, "token": "012345", "type": "phone_change"})
one.verify_otp({"token_hash": "3f1c-hash", "type": "email"})
one.resend({"phone": PHONE, "type": "sms"})
one.resend({"email": EMAIL, "type": "signup", "options": {"captcha_token": "human"}})
one.resend({"email": EMAIL, "type": "email_change"})
one.reset_password_for_email(EMAIL)
one.sign_in_with_password({"email": EMAIL, "password": "correct horse"})
one.sign_in_with_password({"phone": PHONE, "password": "correct horse"})
one.sign_up({"email": EMAIL, "password": "correct horse", "options": {"data": {"name": "Ann"}}})
one.sign_up({"phone": PHONE, "password": "correct horse"})
one.sign_in_anonymously()
one.sign_in_anonymously({"options": {"captcha_token": "human", "data": {"theme": "dark"}}})
one.sign_in_with_id_token({"provider": "google", "token": "aaa.bbb.ccc"})
one.sign_in_with_id_token({
    "provider": "apple", "token": "aaa.bbb.ccc", "access_token": "ddd",
    "nonce": "n-0S6_WzA2Mjn-0S6_WzA2Mj"})
one.exchange_code_for_session({
    "auth_code": "009e5066-fc11-4eca-8c8c-6fd82aa263f2", "code_verifier": given["verifier"]})
one.get_user(one.get_session().access_token)
one.update_user({"data": {"name": "Ann"}})
one.update_user({"phone": PHONE})
one.update_user({"email": EMAIL})
one.update_user({"password": "correct horse", "nonce": "012345"})
one.reauthenticate()
one.refresh_session("4nYUCw0wZR_DNOTSDbSGMQ")
one.sign_out({"scope": "others"})
one.sign_out({"scope": "local"})
one.refresh_session("4nYUCw0wZR_DNOTSDbSGMQ")
one.sign_out({"scope": "global"})

two = client("pkce")
two.sign_in_with_otp({"email": EMAIL, "options": {"email_redirect_to": "app://callback"}})
answer = two.sign_in_with_oauth({
    "provider": "github", "options": {
        "redirect_to": "app://callback", "scopes": "repo gist",
        "query_params": {"prompt": "login"}}})
print(json.dumps({"url": answer.url}))
