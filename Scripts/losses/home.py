# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""A home folder for session-losses.py with one account that is signed in, and what disturbs it."""

import contextlib
import itertools
import os
import shutil
import signal
import sqlite3
import subprocess
import time
import urllib.request

from .keyring import Keyring
from .provider import PATIENCE
from .row import SessionLost

# Seconds after an exchange at which the next call exchanges, and at which the token is worth nothing.
DUE, EXPIRED = 0.55, 1.1
DISK = 4 << 20


class Home:
    numbers = itertools.count(1)

    def __init__(self, row, has_keyring=False, has_disk=False):
        self.row, self.bench, self.has_disk = row, row.bench, has_disk
        self.client = f"client{next(self.numbers)}"
        self.path = os.path.join(self.bench.folder, self.client)
        os.mkdir(self.path, 0o700)
        if has_disk:
            run("mount", "-t", "tmpfs", "-o", f"size={DISK},mode=700", "tmpfs", self.path)
        places = {name: os.path.join(self.path, name) for name in ("data", "state", "run")}
        for place in places.values():
            os.mkdir(place, 0o700)
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": self.path, "LC_ALL": "C.UTF-8",
            "XDG_DATA_HOME": places["data"], "XDG_STATE_HOME": places["state"],
            "XDG_RUNTIME_DIR": places["run"],
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=" + os.path.join(self.path, "none")}
        self.folder = os.path.join(places["data"], "signet")
        self.vault = os.path.join(self.folder, "sessions.signet")
        self.key = os.path.join(places["state"], "signet", "sessions.key")
        self.keyring = Keyring(self) if has_keyring else None
        self.family = None
        self.said = self.complaint = ""

    def __enter__(self):
        try:
            self.sign_in()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if self.family:
            self.row.add(exchanges=self.family.exchanges)
        if self.keyring:
            self.keyring.end()
        if self.has_disk:
            run("umount", "--lazy", self.path)
        shutil.rmtree(self.path, ignore_errors=True)

    # The program.

    def start(self, *arguments, before=(), **environment):
        # In a group of its own, but of this session: in an orphaned group SIGTSTP would do nothing.
        return subprocess.Popen(
            [*before, self.bench.signet, *arguments], env={**self.environment, **environment},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            process_group=0)

    def sign_in(self):
        """Signs in, with this script as the browser: it follows redirects."""
        login = self.start(
            "login", "--issuer", self.bench.provider.issuer, "--client-id", self.client,
            "--no-browser", *([] if self.keyring else ["--without-keyring"]))
        browser = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        told = ""
        for line in login.stderr:
            told += line
            if line.strip().startswith("http://"):
                browser.open(line.strip(), timeout=PATIENCE).read()
        login.communicate(timeout=PATIENCE)
        if login.returncode != 0:
            raise RuntimeError(f"no sign-in: {told}")
        self.family = self.bench.provider.families[self.client]

    def token(self, process=None):
        """Waits for `signet token`, here or begun before. Returns its status."""
        process = process or self.start("token")
        try:
            output, errors = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, errors = process.communicate()
            self.row.fault(f"{self.client}: no end within {PATIENCE} s")
        status, self.said, self.complaint = process.returncode, output.strip(), errors.strip()[:300]
        if status in (3, 5):
            self.row.add(refused=1)
        elif status in (1, 2):
            self.row.fault(f"{self.client}: status {status}: {self.complaint}")
        if self.bench.is_verbose and status:
            print(f"{self.row.name} {self.client}: {status} {self.complaint}", flush=True)
        return status

    def settle(self, wait=EXPIRED):
        """With everything mended: whether the session still gives tokens. Counts the run."""
        self.row.add(runs=1)
        time.sleep(wait)
        for _ in range(90):
            before = self.family.exchanges
            status = self.token()
            # A token that is good for another moment says nothing about the session.
            if status == 0 and self.family.exchanges > before:
                if self.said != self.family.access:
                    self.row.fault(f"{self.client}: not the token that the provider gave")
                return True
            if status == 4:
                self.row.add(lost=1)
                return False
            time.sleep(1)
        self.row.fault(f"{self.client}: no token for 90 s, at last {status}: {self.complaint}")
        return False

    # What disturbs it, for the length of a block.

    @contextlib.contextmanager
    def asking(self):
        """A `signet token` whose request has arrived, and is answered after the block."""
        self.family.arrived.clear()
        self.family.goes_on.clear()
        try:
            process = self.start("token")
            while not self.family.arrived.wait(0.01):
                if process.poll() is not None:
                    if self.token(process) == 4:
                        raise SessionLost
                    raise RuntimeError(f"it asked nothing: {self.complaint}")
            yield process
        finally:
            self.family.goes_on.set()

    @contextlib.contextmanager
    def old_reader(self, is_there=True):
        """A connection that reads the vault as it is now."""
        if not is_there:
            yield
            return
        with contextlib.closing(sqlite3.connect(self.vault)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM sqlite_master").fetchall()
            yield

    @contextlib.contextmanager
    def busy(self, seconds):
        """Holds the vault's write lock, at least for this long. Yields when that ends."""
        with contextlib.closing(sqlite3.connect(self.vault, isolation_level=None)) as writer:
            writer.execute("PRAGMA busy_timeout = 20000")
            writer.execute("BEGIN IMMEDIATE")
            end = time.monotonic() + seconds
            yield end
            time.sleep(max(0, end - time.monotonic()))
            writer.execute("ROLLBACK")

    @contextlib.contextmanager
    def full(self, free):
        """Leaves this many bytes of the disk."""
        rest = os.path.join(self.path, "rest")
        with open(rest, "wb") as file:
            found = os.statvfs(self.path)
            size = found.f_bavail * found.f_frsize - free
            if size > 0:
                os.posix_fallocate(file.fileno(), 0, size)
        try:
            yield
        finally:
            os.unlink(rest)

    @contextlib.contextmanager
    def read_only(self):
        """Mounts the folder of the vault read-only. A reader from before does not see that."""
        run("mount", "--bind", self.folder, self.folder)
        try:
            run("mount", "-o", "remount,bind,ro", self.folder)
            yield
        finally:
            run("umount", self.folder)


def run(*command):
    subprocess.run(command, check=True, capture_output=True)
