"""``python -m agentops_dream.cli``."""

import sys

from agentops_dream.cli.main import main

sys.exit(main())
