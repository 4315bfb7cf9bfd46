"""What the package costs a program, alone and with the first class of calls: no more than a second and 30 MB, measured against a bare Python."""

import subprocess
import sys

MEASURE = """
import os, time
began = time.process_time()
{}
seconds = time.process_time() - began
with open("/proc/self/statm") as pages:
    print(seconds, int(pages.read().split()[1]) * os.sysconf("SC_PAGE_SIZE"))
"""
IMPORT = "import arbitration_client as acp"
CALL = IMPORT + '\nacp.CasesApi(acp.Platform("http://localhost", acp.Credentials.resume("r1_")))\nacp.ListCasesRequest()'


def measured(program: str) -> tuple[float, int]:
    # Processor time, and the best of three, because other programs run, too. Files of bytecode are there after the first.
    command = [sys.executable, "-c", MEASURE.format(program)]
    runs = [subprocess.run(command, check=True, capture_output=True, text=True).stdout.split() for _ in range(3)]
    return min(float(seconds) for seconds, _ in runs), min(int(size) for _, size in runs)


_, bare = measured("pass")
for what, program in {"import": IMPORT, "import and the first class of calls": CALL}.items():
    taken, size = measured(program)
    print(f"measured: {what} of the client for Python: {taken:.2f} s of a processor, {(size - bare) / 1e6:.1f} MB more than Python alone")
    assert taken < 1, f"{what}: takes longer than a second"
    assert size - bare <= 30e6, f"{what}: takes more than 30 MB"
