"""What the package costs a program: no more than a second and 30 MB for its import, measured against a bare Python."""

import subprocess
import sys

MEASURE = """
import os, time
began = time.perf_counter()
{}
seconds = time.perf_counter() - began
with open("/proc/self/statm") as pages:
    print(seconds, int(pages.read().split()[1]) * os.sysconf("SC_PAGE_SIZE"))
"""
IMPORT = "import arbitration_client as acp"
CALL = IMPORT + '\nacp.CasesApi(acp.Platform("http://localhost", acp.Credentials.resume("r1_")))\nacp.ListCasesRequest()'


def measured(program: str) -> tuple[float, int]:
    # The best of three: other programs run, too. Files of bytecode are there after the first.
    command = [sys.executable, "-c", MEASURE.format(program)]
    runs = [subprocess.run(command, check=True, capture_output=True, text=True).stdout.split() for _ in range(3)]
    return min(float(seconds) for seconds, _ in runs), min(int(size) for _, size in runs)


_, bare = measured("pass")
for what, program in {"import": IMPORT, "import and the first class of calls": CALL}.items():
    taken, size = measured(program)
    print(f"measured: {what} of the client for Python: {taken:.2f} s, {(size - bare) / 1e6:.1f} MB more than Python alone")
    assert taken < 1 or what != "import", "the import takes longer than a second"
    assert size - bare <= 30e6 or what != "import", "the import takes more than 30 MB"
