"""Builds the extension with CMake, as `make python` does, and puts the shipped games into the package.

    /usr/bin/python3 -m pip install --no-build-isolation ./python
"""
import os
import pathlib
import shutil
import subprocess

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent


class BuildWithCMake(build_py):
    def run(self):
        super().run()
        subprocess.run([ROOT / "scripts" / "build", "release", "python"], check=True)
        package = pathlib.Path(self.build_lib) / "parlor"
        for file in (ROOT / "build" / "python" / "parlor").iterdir():
            if file.is_file():
                shutil.copy(file, package)
        shutil.copytree(ROOT / "games", package / "games", dirs_exist_ok=True)


class BinaryDistribution(Distribution):
    def has_ext_modules(self):
        return True


os.chdir(HERE)
setup(packages=["parlor"], package_data={"parlor": ["py.typed", "*.pyi"]},
      cmdclass={"build_py": BuildWithCMake}, distclass=BinaryDistribution)
