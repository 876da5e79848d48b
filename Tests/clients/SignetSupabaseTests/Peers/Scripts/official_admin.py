# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0

"""The official Python client makes every administrator's call that Signet makes, in the same order,
to a server at the port that standard input names: {"port": ..., "key": ..., "verifier": ...}. The
key stands where its form says: a token in both fields, any other in `apikey` alone. Prints how many
users its pages had, as the word of {"url": ...}.
"""

import json
import sys

from supabase_auth import SyncGoTrueAdminAPI

given = json.load(sys.stdin)
headers = {"apikey": given["key"]}
if given["key"].count(".") == 2:
    headers["Authorization"] = "Bearer " + given["key"]
admin = SyncGoTrueAdminAPI(url=f"http://127.0.0.1:{given['port']}/auth/v1", headers=headers)
USER, EMAIL = "d1b1ca60-9d6b-4f6c-9c4c-2a6f7d5b8a10", "ann@company.example"
TOKEN = given["verifier"]

admin.get_user_by_id(USER)
count = len(admin.list_users(page=1, per_page=50)) + len(admin.list_users(page=2, per_page=50))
admin.update_user_by_id(USER, {
    "email": EMAIL, "phone": "+14155551234", "email_confirm": True, "phone_confirm": False,
    "password": "correct horse", "user_metadata": {"name": "Ann"},
    "app_metadata": {"roles": ["editor"]}})
admin.update_user_by_id(USER, {"ban_duration": "5400s"})
admin.update_user_by_id(USER, {"ban_duration": "none"})
admin.delete_user(USER, should_soft_delete=True)
admin.delete_user(USER)
for scope in ("local", "others", "global"):
    admin.sign_out(TOKEN, scope)
admin.generate_link({
    "type": "signup", "email": EMAIL, "password": "correct horse",
    "options": {"data": {"name": "Ann"}, "redirect_to": "https://app.example/in?a=b%20c&d=%C3%A9"}})
admin.generate_link({
    "type": "invite", "email": EMAIL, "options": {"redirect_to": "https://app.example/in"}})
admin.generate_link({"type": "magiclink", "email": EMAIL})
admin.generate_link({"type": "recovery", "email": EMAIL})
admin.generate_link({
    "type": "email_change_current", "email": EMAIL, "new_email": "ann@new.example"})
admin.generate_link({
    "type": "email_change_new", "email": EMAIL, "new_email": "ann@new.example"})
print(json.dumps({"url": f"{count}"}))
