"""Set up every test: where the data are, and a kernel cache that is never stale."""

import hashlib
import os
from pathlib import Path

ROOT = Path(__file__).parents[1]

# numba notices a change in a kernel's own file only, not in those of the kernels it calls.
_sources = sorted((ROOT / "src/microagg/kernels").glob("*.py"))
_digest = hashlib.sha256(b"".join(path.read_bytes() for path in _sources)).hexdigest()[:12]
os.environ.setdefault("NUMBA_CACHE_DIR", str(ROOT / ".numba_cache" / _digest))
os.environ.setdefault("MICROAGG_DATA", str(ROOT.parent / "shared" / "data"))

import pytest  # noqa: E402
from hypothesis import settings  # noqa: E402

settings.register_profile("ci", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("ci")


@pytest.fixture
def companies() -> Path:
    return ROOT / "examples" / "companies.csv"


@pytest.fixture
def classic():
    """Load a classic data set, or skip where it is not to be had."""
    from microagg import InputError, datasets

    def load(name):
        try:
            return datasets.load(name)
        except InputError as error:
            pytest.skip(str(error))

    return load
