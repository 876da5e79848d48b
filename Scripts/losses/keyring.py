# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""A gnome-keyring for session-losses.py, on a bus of its own that starts nothing by itself."""

import os
import subprocess
import time

PROGRAMS = ("dbus-daemon", "gnome-keyring-daemon")
CONFIGURATION = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type><listen>unix:tmpdir=/tmp</listen><auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
  </policy>
</busconfig>
"""


class Keyring:
    def __init__(self, home):
        """Starts it unlocked, and puts the bus into the home's environment."""
        self.home, self.daemon = home, None
        configuration = os.path.join(home.path, "bus.conf")
        with open(configuration, "w", encoding="utf-8") as file:
            file.write(CONFIGURATION)
        self.bus = subprocess.Popen(
            ["dbus-daemon", "--config-file", configuration, "--nofork", "--nopidfile",
             "--print-address"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env=home.environment)
        home.environment["DBUS_SESSION_BUS_ADDRESS"] = self.bus.stdout.readline().strip()
        self.restart(is_locked=False)

    def restart(self, is_locked):
        """Begins again with the keyring locked or unlocked, and waits until it says so."""
        self.stop()
        self.daemon = subprocess.Popen(
            ["gnome-keyring-daemon", "--foreground", "--components=secrets",
             *([] if is_locked else ["--unlock"])], stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.home.environment)
        self.daemon.stdin.write(b"" if is_locked else b"keyring")
        self.daemon.stdin.close()
        for _ in range(300):
            asked = self.home.start("vault", "list", "--backend", "secret-service")
            _, errors = asked.communicate()
            if "[locked]" in errors if is_locked else asked.returncode == 0:
                return
            time.sleep(0.1)
        raise RuntimeError(f"the keyring does not answer: {errors.strip()}")

    def stop(self):
        if self.daemon:
            self.daemon.kill()
            self.daemon.wait()

    def end(self):
        self.stop()
        self.bus.kill()
        self.bus.wait()
        self.bus.stdout.close()
