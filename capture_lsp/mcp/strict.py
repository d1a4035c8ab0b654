"""An MCP server that refuses arguments which a tool does not have, and whose errors are one short line."""

from __future__ import annotations

import difflib
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp.types import Tool
from pydantic import ValidationError

from capture_lsp.analysis import describe

_TOLD = 3  #: wrong arguments


class StrictServer(MCPServer[Any]):
    """Otherwise arguments that a tool does not know would be dropped, and the call answered without them."""

    async def list_tools(self) -> list[Tool]:
        """The tools; their schemas say that there are no other arguments."""
        tools = await super().list_tools()
        for tool in tools:
            tool.input_schema = {**tool.input_schema, "additionalProperties": False}
        return tools

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
        """The answer. Raises ToolError."""
        known = {tool.name: tool.input_schema for tool in await self.list_tools()}
        if name not in known:
            raise ToolError(f"no tool {name!r}{_nearest(name, known)}")
        wanted = known[name].get("properties", {})
        for argument in arguments:
            if argument not in wanted:
                there = f"; there are {', '.join(wanted)}"
                raise ToolError(f"{name} has no argument {argument!r}{_nearest(argument, wanted) or there}")
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            raise ToolError(_told(name, error)) from None


def _told(name: str, error: ToolError) -> str:
    """What went wrong, without the package's words around it."""
    cause = error.__cause__
    if isinstance(cause, ValidationError):
        wrong = cause.errors(include_url=False, include_context=False)
        return "; ".join(f"{name}: {_place(one['loc'])}: {_uncapitalised(one['msg'])}" for one in wrong[:_TOLD])
    if isinstance(error, UnexpectedToolError):
        return describe(cause or error)
    return str(cause or error)


def _place(location: tuple[int | str, ...]) -> str:
    return "".join(f"[{part!r}]" if number else str(part) for number, part in enumerate(location))


def _uncapitalised(text: str) -> str:
    return text[:1].lower() + text[1:]


def _nearest(name: str, known: Any) -> str:
    close = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
    return f" (did you mean {close[0]}?)" if close else ""
