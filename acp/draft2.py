"""The draft of protocol version 2, translated to and from what the rest of this room speaks (PROTOCOL §20).

`Draft2` is pure: values in, values out. `connection` uses it when an agent that was asked for version 2 answers 2.
Everything above is shaped like version 2 already (entries with ids, patches, the agent's state apart from the
turn), so only names and nesting change here. The draft may change without notice; version 1 never comes this way.
"""

from __future__ import annotations

import base64
import codecs
from typing import Any

import msgspec

from tpy.acp import schema

VERSION = 2
_METHODS = {"session/load": "session/resume", "authenticate": "auth/login", "logout": "auth/logout"}
_MESSAGES = {"user_message": "user", "agent_message": "agent", "agent_thought": "thought"}


def hello(request: schema.InitializeRequest) -> dict[str, Any]:
    """Return an `initialize` that an agent of either version can read: both shapes in one object."""
    value: dict[str, Any] = msgspec.to_builtins(request)
    announced = request.client_capabilities
    capabilities: dict[str, Any] = {}
    if announced.auth.terminal:
        capabilities["auth"] = {"terminal": {}}
    if announced.elicitation is not None:
        capabilities["elicitation"] = msgspec.to_builtins(announced.elicitation)
    return {**value, "protocolVersion": VERSION, "info": value.get("clientInfo"), "capabilities": capabilities}


def greeting(value: dict[str, Any]) -> dict[str, Any]:
    """Return the answer to `initialize` in the shape of version 1."""
    capabilities = _dict(value.get("capabilities"))
    session = capabilities.get("session")
    offered = _dict(session)
    prompt, mcp = _dict(offered.get("prompt")), _dict(offered.get("mcp"))
    baseline: dict[str, Any] | None = {} if isinstance(session, dict) else None
    return {
        **{key: value[key] for key in ("protocolVersion", "_meta") if key in value},
        "agentInfo": value.get("info"),
        "authMethods": [_auth_method(method) for method in _list(value.get("authMethods"))],
        "agentCapabilities": {
            "loadSession": baseline is not None,
            "promptCapabilities": {
                name: isinstance(prompt.get(name), dict) for name in ("image", "audio", "embeddedContext")
            },
            "mcpCapabilities": {"http": isinstance(mcp.get("http"), dict)},
            "sessionCapabilities": {
                **dict.fromkeys(("list", "resume", "close"), baseline),
                **{name: offered.get(name) for name in ("delete", "additionalDirectories")},
            },
            "auth": {"logout": {} if value.get("authMethods") else None},
            "_meta": capabilities.get("_meta"),
        },
    }


class Draft2:
    """One connection's translation; it remembers the terminals whose output is cut inside a character."""

    def __init__(self) -> None:
        self._decoders: dict[str, codecs.IncrementalDecoder] = {}
        self._permissions = 0

    # -- to the agent --------------------------------------------------------------------------------------

    def call(self, method: str, params: Any) -> tuple[str, dict[str, Any]]:
        """Return method and params of a request of ours."""
        value: dict[str, Any] = msgspec.to_builtins(params)
        if "mcpServers" in value:
            value["mcpServers"] = [{"type": "stdio", **server} for server in value["mcpServers"]]
        if method == "session/load":
            value["replayFrom"] = {"type": "start"}
        elif method == "session/set_config_option":
            value.setdefault("type", "id")
        return _METHODS.get(method, method), value

    # -- from the agent ------------------------------------------------------------------------------------

    def result(self, method: str, value: Any) -> Any:
        """Return the result of a request of ours in the shape of version 1."""
        if isinstance(value, dict) and "configOptions" in value:
            return {**value, "configOptions": [_option(option) for option in _list(value["configOptions"])]}
        return value

    def request(self, method: str, value: Any) -> Any:
        """Return the params of the agent's request in the shape of version 1."""
        if method != "session/request_permission" or not isinstance(value, dict):
            return value
        subject = _dict(value.get("subject"))
        self._permissions += 1
        call: dict[str, Any] = {"toolCallId": f"permission-{self._permissions}"}
        if subject.get("type") == "tool_call":
            call = {**call, **_tool_call(_dict(subject.get("toolCall")))}
        elif subject.get("type") == "command":
            call = {**call, "kind": "execute", "rawInput": {k: subject.get(k) for k in ("command", "cwd")}}
            if isinstance(subject.get("toolCallId"), str):
                call["toolCallId"] = subject["toolCallId"]
        if not call.get("title"):
            call["title"] = value.get("title")
        return {**value, "toolCall": call}

    def update(self, value: Any) -> tuple[str, Any]:
        """Return session id and update of a `session/update`. schema.Invalid when it cannot be read."""
        if not isinstance(value, dict) or not isinstance(value.get("sessionId"), str):
            raise schema.Invalid("sessionId is missing")
        update = value.get("update")
        if not isinstance(update, dict) or not isinstance(update.get("sessionUpdate"), str):
            raise schema.Invalid("sessionUpdate is missing")
        return value["sessionId"], self._update(update["sessionUpdate"], update)

    def _update(self, kind: str, value: dict[str, Any]) -> Any:
        if kind in _MESSAGES:
            return schema.MessagePatch(_MESSAGES[kind], _text(value, "messageId"), _blocks(value))
        if kind == "state_update":
            state = schema.convert(value, schema.ChildState)
            return schema.StateChanged(state.state, state.stop_reason or "", state.error, state.usage)
        if kind == "tool_call_update":
            return _tool_update(value)
        if kind == "tool_call_content_chunk":
            items = schema.convert(
                {"toolCallId": "", "content": [_content(value.get("content"))]}, schema.ToolCallFields
            )
            if not items.content:
                raise schema.Invalid("content cannot be read")
            return schema.ToolContentAdded(_text(value, "toolCallId"), items.content[0])
        if kind in ("terminal_update", "terminal_output_chunk"):
            return self._terminal(value)
        if kind == "plan_update":
            return _plan(value)
        if kind == "config_option_update":
            value = {**value, "configOptions": [_option(option) for option in _list(value.get("configOptions"))]}
        whole = {"sessionId": "", "update": value}
        return schema.convert(whole, schema.SessionNotification).update

    def _terminal(self, value: dict[str, Any]) -> schema.TerminalPatch:
        terminal_id = _text(value, "terminalId")
        if "data" in value:
            return schema.TerminalPatch(terminal_id, added=self._decode(terminal_id, value["data"]))
        output = None
        if "output" in value:
            self._decoders.pop(terminal_id, None)
            output = self._decode(terminal_id, _dict(value["output"]).get("data", ""))
        ended = value.get("exitStatus")
        status = schema.convert(ended, schema.TerminalExitStatus) if isinstance(ended, dict) else None
        command = value.get("command")
        return schema.TerminalPatch(
            terminal_id,
            command if isinstance(command, str) else None,
            output,
            exit_status=status,
            can_cancel=_can_cancel(value) if "capabilities" in value else None,
        )

    def _decode(self, terminal_id: str, data: Any) -> str:
        """Decode a piece of output; each piece is base64 by itself, characters may go over the edge."""
        try:
            raw = base64.b64decode(data, validate=True)
        except (ValueError, TypeError) as error:
            raise schema.Invalid("data is not base64") from error
        if terminal_id not in self._decoders:
            self._decoders[terminal_id] = codecs.getincrementaldecoder("utf-8")("replace")
        return self._decoders[terminal_id].decode(raw)


def _can_cancel(value: dict[str, Any]) -> bool:
    return isinstance(_dict(value.get("capabilities")).get("cancel"), dict)


def _tool_update(value: dict[str, Any]) -> schema.ToolCallUpdate | schema.ToolPatch:
    update = schema.convert(_tool_call(value), schema.ToolCallUpdate)
    status = value.get("status")
    if isinstance(status, str):  # states that version 1 does not have
        update = msgspec.structs.replace(update, status=status)
    return schema.ToolPatch(update, _can_cancel(value)) if "capabilities" in value else update


def _tool_call(value: dict[str, Any]) -> dict[str, Any]:
    """A tool call with its content as version 1 has it; null clears lists."""
    call = {**value, "sessionUpdate": "tool_call_update"}
    for name in ("content", "locations"):
        if name in call:
            call[name] = [_content(item) for item in _list(call[name])] if name == "content" else _list(call[name])
    return call


def _content(item: Any) -> Any:
    """An item of a tool call's content; a diff, which here is a patch over files, becomes a fenced text."""
    if not isinstance(item, dict) or item.get("type") != "diff" or "changes" not in item:
        return item
    lines = [_change(change) for change in _list(item.get("changes")) if isinstance(change, dict)]
    patch = _dict(item.get("patch")).get("text")
    text = "\n".join(lines) + (f"\n\n```diff\n{patch}\n```" if isinstance(patch, str) else "")
    return {"type": "content", "content": {"type": "text", "text": text}}


def _change(change: dict[str, Any]) -> str:
    old = f"{change.get('oldPath')} → " if change.get("oldPath") else ""
    return f"{change.get('operation')}: {old}{change.get('path')}"


def _plan(value: dict[str, Any]) -> schema.PlanUpdate:
    plan = _dict(value.get("plan"))
    if plan.get("type") != "items":
        return schema.convert(value, schema.PlanUpdate)
    steps: list[schema.PlanEntry] = []
    for step in _list(plan.get("entries")):
        texts = [_dict(step).get(name) for name in ("content", "priority", "status")]
        if all(isinstance(text, str) for text in texts):
            steps.append(schema.PlanEntry(*texts))  # type: ignore[arg-type]
    return schema.PlanUpdate(schema.PlanItems(_text(plan, "planId"), steps))


def _option(option: Any) -> Any:
    if not isinstance(option, dict):
        return option
    choices = [
        {**choice, "group": choice["groupId"]} if isinstance(choice, dict) and "groupId" in choice else choice
        for choice in _list(option.get("options"))
    ]
    return {**option, "id": option.get("configId"), "options": choices}


def _auth_method(method: Any) -> Any:
    if not isinstance(method, dict):
        return method
    pairs = [pair for pair in _list(method.get("env")) if isinstance(pair, dict)]
    return {**method, "id": method.get("methodId"), "env": {pair.get("name"): pair.get("value") for pair in pairs}}


def _blocks(value: dict[str, Any]) -> Any:
    if "content" not in value:
        return schema.UNSET
    if value["content"] is None:
        return None
    letter = schema.convert({"content": value["content"]}, schema.ContentList)
    return letter.content


def _text(value: dict[str, Any], name: str) -> str:
    text = value.get(name)
    if not isinstance(text, str):
        raise schema.Invalid(f"{name} is missing")
    return text


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
