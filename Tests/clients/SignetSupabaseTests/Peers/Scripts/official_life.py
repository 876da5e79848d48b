# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0

"""The official Python client lives with the server of gotrue_server.py: what that answers is what
the client's own models take. Standard input: {"port": ..., "key": ...}. Prints what happened:
{"url": a line of words}.
"""

import json
import sys

from supabase_auth import SyncGoTrueClient, SyncMemoryStorage
from supabase_auth.errors import AuthApiError, AuthError

given = json.load(sys.stdin)
EMAIL, PASSWORD = "ann@company.example", "correct horse"
words = []


def client():
    return SyncGoTrueClient(
        url=f"http://127.0.0.1:{given['port']}/auth/v1", headers={"apikey": given["key"]},
        auto_refresh_token=False, storage=SyncMemoryStorage())


def refused(call, kind=AuthApiError):
    try:
        call()
    except AuthError as error:
        assert isinstance(error, kind), repr(error)
        words.append(error.code or f"status {error.status}")
    else:
        words.append("no error")


one, two = client(), client()
assert one.sign_up({"email": EMAIL, "password": PASSWORD}).session
assert two.sign_in_with_password({"email": EMAIL, "password": PASSWORD}).session
refused(lambda: client().sign_in_with_password({"email": EMAIL, "password": "wrong"}))
refused(lambda: client().sign_in_with_id_token({"provider": "google", "token": "x"}))
refused(lambda: client().verify_otp({"email": EMAIL, "token": "000000", "type": "email"}))

user = one.get_user().user
assert user.email == EMAIL and user.identities[0].provider == "email" and not user.is_anonymous
first = one.get_session()
second = one.refresh_session().session
assert second.refresh_token != first.refresh_token
# The parent of the active token: the same one again.
assert one.refresh_session(first.refresh_token).session.refresh_token == second.refresh_token
refused(lambda: one.refresh_session("made-up"))
refused(lambda: client().sign_up({"phone": "+14155551234", "password": "short"}), AuthError)

two.sign_out({"scope": "others"})
refused(lambda: one.get_user(second.access_token))
assert two.get_user().user.id == user.id
guest = client().sign_in_anonymously()
assert guest.user.is_anonymous and guest.session
two.sign_out({"scope": "global"})
print(json.dumps({"url": " ".join(words)}))
