"""Runs a program with malformed files, each file in a separate process, and keeps the findings."""

import os
import resource
import subprocess
import sys
import tempfile


def run(command, data, timeout=60):
    """Returns the exit code of a process, its processor time in seconds, its output and its errors."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryFile() as upload:
        upload.write(data)
        upload.seek(0)
        child = subprocess.run(command, stdin=upload, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=timeout)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return child.returncode, seconds, child.stdout, child.stderr


class Findings:
    """The faults that the script found, and the maximum processor time and memory of a process."""

    def __init__(self, most_seconds, most_mebibytes):
        self.most_seconds, self.most_mebibytes = most_seconds, most_mebibytes
        self.count, self.longest = 0, 0.0

    def check(self, name, data, seconds, reason=None):
        """Keeps the file if there is a reason, or if the process took too long. Returns true if this process took
        longer than all earlier processes."""
        if seconds > self.most_seconds:
            reason = f"it took {seconds:.1f} s"
        if reason:
            self.count += 1
            path = os.path.abspath(name)
            with open(path, "wb") as found:
                found.write(data)
            print(f"{path}: {reason}")
        is_longest = seconds > self.longest
        self.longest = max(self.longest, seconds)
        return is_longest

    def end(self, summary):
        """Prints the summary. Exits with code 1 if there was a finding or a process used too much memory."""
        memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1_024
        print(f"{summary}, at most {self.longest:.2f} s and {memory:.0f} MiB, {self.count} findings")
        if memory > self.most_mebibytes:
            sys.exit(f"a process used {memory:.0f} MiB; the limit is {self.most_mebibytes} MiB")
        if self.count:
            sys.exit(1)
