# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0

"""The official Python client at GoTrueServer: gotrue_client.py ADDRESS KEY FOLDER [again]

The first time it signs up with a password, as a guest and by a phone; `again` it comes back after a
restart. FOLDER has the messages, and what this program keeps in between.
"""

import json
import pathlib
import sys
import time

from supabase_auth import SyncGoTrueClient, SyncMemoryStorage

address, key, folder = sys.argv[1:4]
messages, kept = pathlib.Path(folder, "messages.txt"), pathlib.Path(folder, "kept.json")
EMAIL, PHONE, PASSWORD = "ann@company.example", "+14155551234", "correct horse battery"


def client():
    return SyncGoTrueClient(
        url=address, headers={"apikey": key}, auto_refresh_token=False,
        storage=SyncMemoryStorage())


def code(destination):
    for _ in range(300):
        lines = messages.read_text().splitlines() if messages.exists() else []
        found = [line.split("\t")[2] for line in lines if line.split("\t")[1] == destination]
        if found:
            return found[-1]
        time.sleep(0.1)
    raise SystemExit(f"no code came to {destination} in 30 s")


if sys.argv[4:] == ["again"]:
    before = json.loads(kept.read_text())
    one = client()
    one.set_session(before["access"], before["refresh"])
    assert one.get_user().user.id == before["id"]
    assert one.refresh_session().session.refresh_token != before["refresh"]
    two = client()
    signed_in = two.sign_in_with_password({"email": EMAIL, "password": PASSWORD})
    assert signed_in.user.id == before["id"]
    two.sign_out({"scope": "global"})
    print("gotrue_client: the session and the password are good after the restart")
    raise SystemExit

one = client()
one.sign_up({"email": EMAIL, "password": PASSWORD, "options": {"data": {"name": "Ann"}}})
verified = one.verify_otp({"email": EMAIL, "token": code(EMAIL), "type": "signup"})
assert verified.user.email == EMAIL and verified.user.user_metadata == {"name": "Ann"}
changed = one.update_user({"data": {"theme": "dark"}})
assert changed.user.user_metadata == {"name": "Ann", "theme": "dark"}
guest = client().sign_in_anonymously()
assert guest.user.is_anonymous
two = client()
two.sign_in_with_otp({"phone": PHONE})
by_phone = two.verify_otp({"phone": PHONE, "token": code(PHONE), "type": "sms"})
assert by_phone.user.phone == PHONE[1:]
two.sign_out()
session = one.get_session()
kept.write_text(json.dumps({
    "access": session.access_token, "refresh": session.refresh_token, "id": verified.user.id}))
print("gotrue_client: a password, a guest and a phone")
