"""What pip calls when it is asked for the root of the source tree: setuptools, in this folder, where the package is."""
import os
import pathlib

from setuptools.build_meta import *  # noqa: F401,F403: the functions of PEP 517

os.chdir(pathlib.Path(__file__).resolve().parent)
