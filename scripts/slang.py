# SPDX-License-Identifier: Apache-2.0
"""slang.py ARGUMENT... - slang's command line on the files and options given; exit status 1 when it finds anything.

The package pyslang brings slang as a library only."""
import sys

from pyslang import driver


def main():
    slang = driver.Driver()
    slang.addStandardArgs()
    good = slang.parseCommandLine(" ".join(["slang", *sys.argv[1:]])) and slang.processOptions()
    return good and slang.parseAllSources() and slang.runFullCompilation(True)


sys.exit(0 if main() else 1)
