"""Builds the extension with CMake, as `make python` does, and puts the shipped games into the package.

    /usr/bin/python3 -m pip install --no-build-isolation .        (here or at the root)
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
        # Of its own, since it needs nothing of what the tests need; beside the other one and with the same compiler, so
        # that ccache knows what was compiled there.
        build = ROOT / "build-wheel"
        compiler = os.environ.get("CXX") or shutil.which("g++")
        subprocess.run(["cmake", "-S", ROOT, "-B", build, "-DCMAKE_BUILD_TYPE=Release", "-DBUILD_TESTING=OFF",
                        "-DPARLOR_STATIC_READERS=ON", f"-DPython_EXECUTABLE={sys.executable}",
                        *([f"-DCMAKE_CXX_COMPILER={compiler}"] if compiler else []),
                        *(["-G", "Ninja"] if shutil.which("ninja") else [])], check=True)
        subprocess.run(["cmake", "--build", build, "--target", "python",
                        "-j", os.environ.get("JOBS", str(os.cpu_count()))], check=True)
        if getattr(self, "editable_mode", False):
            # pip install -e: the package is where its sources are.
            for module in (build / "python" / "parlor").glob("_core*.so"):
                shutil.copy(module, HERE / "parlor")
            games = HERE / "parlor" / "games"
            if not games.is_symlink():
                games.symlink_to(ROOT / "games")
            return
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
