"""Builds the extension with CMake, as `make python` does, and puts the shipped games into the package.

    /usr/bin/python3 -m pip install --no-build-isolation ./python
"""
import os
import pathlib
import shutil
import subprocess
import sys

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent


class BuildWithCMake(build_py):
    def run(self):
        super().run()
        # Of its own, since it needs nothing of what the tests need.
        build = ROOT / "build" / "wheel"
        subprocess.run(["cmake", "-S", ROOT, "-B", build, "-DCMAKE_BUILD_TYPE=Release", "-DBUILD_TESTING=OFF",
                        "-DPARLOR_STATIC_READERS=ON", f"-DPython_EXECUTABLE={sys.executable}",
                        *(["-G", "Ninja"] if shutil.which("ninja") else [])], check=True)
        subprocess.run(["cmake", "--build", build, "--target", "python",
                        "-j", os.environ.get("JOBS", str(os.cpu_count()))], check=True)
        package = pathlib.Path(self.build_lib) / "parlor"
        for file in (build / "python" / "parlor").iterdir():
            if file.is_file():
                shutil.copy(file, package)
        shutil.copytree(ROOT / "games", package / "games", dirs_exist_ok=True)


class BinaryDistribution(Distribution):
    def has_ext_modules(self):
        return True


os.chdir(HERE)
setup(packages=["parlor"], package_data={"parlor": ["py.typed", "*.pyi"]},
      cmdclass={"build_py": BuildWithCMake}, distclass=BinaryDistribution)
