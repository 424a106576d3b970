"""The classic data sets, found where the tests find them."""

import os
from pathlib import Path

CLASSICS = {"tarragona": "Tarragona", "census": "Census", "eia": "EIA"}
"""The usual spelling of each name."""

os.environ.setdefault("MICROAGG_DATA", str(Path(__file__).parents[2] / "shared" / "data"))
