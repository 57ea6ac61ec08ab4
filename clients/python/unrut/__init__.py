"""A thin client of `unrut serve`: the same events and verdicts as the TypeScript client."""

from .client import Client
from .loop_error import LoopError
from .messages import FollowedReply, FollowedTurn, FollowMessages, follow_messages
from .tools import guard_tool, session

#: The name of the TypeScript function.
followMessages = follow_messages

__all__ = [
    "Client",
    "FollowMessages",
    "FollowedReply",
    "FollowedTurn",
    "LoopError",
    "followMessages",
    "follow_messages",
    "guard_tool",
    "session",
]
