"""The error by which a run is stopped."""

from typing import Any, Dict, List, Optional


class LoopError(Exception):
    """Raised when a run is stopped. `plan` says why, `work` has what was done before."""

    code = "loop"

    def __init__(self, plan: Dict[str, Any], session: str, messages: Optional[List[Any]] = None):
        super().__init__(plan.get("toHuman", "Unrut stopped the run."))
        self.plan = plan
        self.work = {"session": session, "messages": messages or []}
