"""agentops dreaming: consolidates a coding agent's memory while nobody waits.

Kept free of imports: the Stop hook pays for every one of them.
"""

__version__ = "0.1.0"
