"""`acp/schema/`: the structs against the official schema, leniency, and messages as they are on the wire."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import inspect

from tpy.acp import schema

OFFICIAL: dict[str, Any] = json.loads((Path(__file__).parent / "data" / "schema.unstable.json").read_text())["$defs"]

# Our struct, and the official definitions it stands for.
PAIRS: list[tuple[Any, str]] = [
    (schema.Annotations, "Annotations"),
    (schema.TextContent, "TextContent"),
    (schema.ImageContent, "ImageContent"),
    (schema.AudioContent, "AudioContent"),
    (schema.ResourceLink, "ResourceLink"),
    (schema.EmbeddedResource, "EmbeddedResource"),
    (schema.Content, "Content"),
    (schema.Diff, "Diff"),
    (schema.Terminal, "Terminal"),
    (schema.ToolCallLocation, "ToolCallLocation"),
    (schema.ToolCallUpdate, "ToolCallUpdate"),
    (schema.PermissionOption, "PermissionOption"),
    (schema.RequestPermissionRequest, "RequestPermissionRequest"),
    (schema.RequestPermissionResponse, "RequestPermissionResponse"),
    (schema.Implementation, "Implementation"),
    (schema.FileSystemCapabilities, "FileSystemCapabilities"),
    (schema.ClientSessionCapabilities, "ClientSessionCapabilities"),
    (schema.SessionConfigOptionsCapabilities, "SessionConfigOptionsCapabilities"),
    (schema.ElicitationCapabilities, "ElicitationCapabilities"),
    (schema.AuthCapabilities, "AuthCapabilities"),
    (schema.ClientCapabilities, "ClientCapabilities"),
    (schema.PromptCapabilities, "PromptCapabilities"),
    (schema.McpCapabilities, "McpCapabilities"),
    (schema.SessionCapabilities, "SessionCapabilities"),
    (schema.AgentAuthCapabilities, "AgentAuthCapabilities"),
    (schema.AgentCapabilities, "AgentCapabilities"),
    (schema.InitializeRequest, "InitializeRequest"),
    (schema.InitializeResponse, "InitializeResponse"),
    (schema.AuthenticateRequest, "AuthenticateRequest"),
    (schema.AuthMethod, "AuthMethodAgent"),
    (schema.AuthMethod, "AuthMethodTerminal"),
    (schema.AuthAccount, "AuthAccount"),
    (schema.AuthStatusResponse, "AuthStatusResponse"),
    (schema.AuthStatusResponse, "AuthStatusUpdateNotification"),
    (schema.NameValue, "EnvVariable"),
    (schema.NameValue, "HttpHeader"),
    (schema.SessionMode, "SessionMode"),
    (schema.SessionModeState, "SessionModeState"),
    (schema.SystemPrompt, "SystemPrompt"),
    (schema.NewSessionRequest, "NewSessionRequest"),
    (schema.LoadSessionRequest, "LoadSessionRequest"),
    (schema.ResumeSessionRequest, "ResumeSessionRequest"),
    (schema.ResumeSessionRequest, "ForkSessionRequest"),
    (schema.NewSessionResponse, "NewSessionResponse"),
    (schema.NewSessionResponse, "ForkSessionResponse"),
    (schema.LoadSessionResponse, "LoadSessionResponse"),
    (schema.LoadSessionResponse, "ResumeSessionResponse"),
    (schema.SessionId, "CancelNotification"),
    (schema.SessionId, "CloseSessionRequest"),
    (schema.SessionId, "DeleteSessionRequest"),
    (schema.SessionId, "ArchiveSessionRequest"),
    (schema.SessionId, "UnarchiveSessionRequest"),
    (schema.SessionId, "SessionStatusRequest"),
    (schema.SessionStatusResponse, "SessionStatusResponse"),
    (schema.ListSessionsRequest, "ListSessionsRequest"),
    (schema.ListSessionsResponse, "ListSessionsResponse"),
    (schema.SessionInfo, "SessionInfo"),
    (schema.SetTitleRequest, "SetSessionTitleRequest"),
    (schema.SetTitleResponse, "SetSessionTitleResponse"),
    (schema.SetModeRequest, "SetSessionModeRequest"),
    (schema.SetConfigOptionResponse, "SetSessionConfigOptionResponse"),
    (schema.PromptRequest, "PromptRequest"),
    (schema.PromptResponse, "PromptResponse"),
    (schema.Usage, "Usage"),
    (schema.AgentMessageChunk, "ContentChunk"),
    (schema.PlanEntry, "PlanEntry"),
    (schema.Plan, "Plan"),
    (schema.PlanItems, "PlanItems"),
    (schema.PlanFile, "PlanFile"),
    (schema.PlanMarkdown, "PlanMarkdown"),
    (schema.PlanUpdate, "PlanUpdate"),
    (schema.PlanRemoved, "PlanRemoved"),
    (schema.AvailableCommand, "AvailableCommand"),
    (schema.CommandInput, "UnstructuredCommandInput"),
    (schema.AvailableCommandsUpdate, "AvailableCommandsUpdate"),
    (schema.ConfigOptionUpdate, "ConfigOptionUpdate"),
    (schema.SessionInfoUpdate, "SessionInfoUpdate"),
    (schema.Cost, "Cost"),
    (schema.UsageUpdate, "UsageUpdate"),
    (schema.Notice, "Notice"),
    (schema.CompactionUpdate, "CompactionUpdate"),
    (schema.CompactionSummaryChunk, "CompactionSummaryChunk"),
    (schema.ChildCapabilities, "SubagentSessionCapabilities"),
    (schema.SubagentUpdate, "SubagentUpdate"),
    (schema.SessionMessage, "SessionMessage"),
    (schema.SessionMessageChunk, "SessionMessageChunk"),
    (schema.SessionNotification, "SessionNotification"),
    (schema.CancelRequestNotification, "CancelRequestNotification"),
    (schema.ReadTextFileRequest, "ReadTextFileRequest"),
    (schema.ReadTextFileResponse, "ReadTextFileResponse"),
    (schema.WriteTextFileRequest, "WriteTextFileRequest"),
    (schema.CreateTerminalRequest, "CreateTerminalRequest"),
    (schema.CreateTerminalResponse, "CreateTerminalResponse"),
    (schema.TerminalId, "TerminalOutputRequest"),
    (schema.TerminalId, "WaitForTerminalExitRequest"),
    (schema.TerminalId, "KillTerminalRequest"),
    (schema.TerminalId, "ReleaseTerminalRequest"),
    (schema.TerminalExitStatus, "TerminalExitStatus"),
    (schema.TerminalExitStatus, "WaitForTerminalExitResponse"),
    (schema.TerminalOutputResponse, "TerminalOutputResponse"),
    (schema.EnumOption, "EnumOption"),
    (schema.StringProperty, "StringPropertySchema"),
    (schema.NumberProperty, "NumberPropertySchema"),
    (schema.IntegerProperty, "IntegerPropertySchema"),
    (schema.BooleanProperty, "BooleanPropertySchema"),
    (schema.ArrayProperty, "MultiSelectPropertySchema"),
    (schema.ElicitationSchema, "ElicitationSchema"),
    (schema.CompleteElicitationNotification, "CompleteElicitationNotification"),
]

# One struct of ours for several definitions: what one of them requires, it cannot require.
MERGED: list[tuple[Any, str]] = [
    (schema.ResourceContents, "TextResourceContents"),
    (schema.ResourceContents, "BlobResourceContents"),
    (schema.ToolCall, "ToolCall"),
    (schema.CurrentModeUpdate, "CurrentModeUpdate"),
    (schema.ArrayItems, "StringMultiSelectItems"),
    (schema.ArrayItems, "TitledMultiSelectItems"),
    (schema.ConfigSelect, "SessionConfigOption"),
    (schema.ConfigBoolean, "SessionConfigOption"),
    (schema.ConfigSelect, "SessionConfigSelect"),
    (schema.ConfigBoolean, "SessionConfigBoolean"),
    (schema.ConfigChoice, "SessionConfigSelectOption"),
    (schema.ConfigChoice, "SessionConfigSelectGroup"),
    (schema.McpServer, "McpServerStdio"),
    (schema.McpServer, "McpServerHttp"),
    (schema.McpServer, "McpServerSse"),
    (schema.SystemPromptCapabilities, "SessionSystemPromptCapabilities"),
    (schema.SystemPromptModes, "SessionSystemPromptModeCapabilities"),
    (schema.ChildState, "IdleStateUpdate"),
    (schema.ChildState, "ErrorStopReason"),
    (schema.SetConfigOptionRequest, "SetSessionConfigOptionRequest"),
    (schema.CreateElicitationRequest, "CreateElicitationRequest"),
    (schema.CreateElicitationRequest, "ElicitationSessionScope"),
    (schema.CreateElicitationRequest, "ElicitationRequestScope"),
    (schema.CreateElicitationRequest, "ElicitationFormMode"),
    (schema.CreateElicitationRequest, "ElicitationUrlMode"),
]

# Definitions with lenient fields that have no struct: what is not served, and the error, which `jsonrpc` reads.
WITHOUT_STRUCT = {"ListProvidersResponse", "ProviderInfo", "SetProviderRequest", "MessageMcpNotification", "Error"}

# Where we are more tolerant than the schema on purpose, or check a field elsewhere.
LOOSER = {
    ("ToolCall", "title"),  # a call without one is shown by its name, kind or id
    ("InitializeResponse", "protocolVersion"),  # checked by the client, which says what is wrong
    ("SubagentUpdate", "cwd"),
    ("SubagentUpdate", "additionalDirectories"),
    # one struct serves requests with and without it
    ("LoadSessionRequest", "mcpServers"),
}


def rule_of(item: Any) -> set[str]:
    """The leniency keywords that a field of ours declares."""
    node = item.type
    if isinstance(node, inspect.UnionType):  # Soft… | UnsetType
        node = next((t for t in node.types if isinstance(t, inspect.Metadata)), node)
    rule = (node.extra or {}).get("rule") if isinstance(node, inspect.Metadata) else None
    return {"error": {"error"}, "items": {"error", "items"}, "null": {"null"}, None: set()}[rule]


KEYWORDS = {
    "x-deserialize-default-on-error": "error",
    "x-deserialize-skip-invalid-items": "items",
    "x-deserialize-default-on-null": "null",
}


@pytest.mark.parametrize(("struct", "name"), PAIRS, ids=[f"{s.__name__}-{n}" for s, n in PAIRS])
def test_structs_have_the_official_fields_and_leniency(struct: Any, name: str) -> None:
    ours = {item.encode_name: item for item in inspect.type_info(struct).fields}
    official = OFFICIAL[name]
    for field, described in official.get("properties", {}).items():
        if field in ("type", "_meta") or (name, field) in LOOSER:
            continue
        assert field in ours, f"{name}.{field} is missing"
        wanted = {word for keyword, word in KEYWORDS.items() if keyword in described}
        assert rule_of(ours[field]) == wanted, f"{name}.{field}"
        assert ours[field].required == (field in official.get("required", [])), f"{name}.{field}"


@pytest.mark.parametrize(("struct", "name"), MERGED, ids=[f"{s.__name__}-{n}" for s, n in MERGED])
def test_structs_for_several_definitions_have_their_fields_and_leniency(struct: Any, name: str) -> None:
    ours = {item.encode_name: item for item in inspect.type_info(struct).fields}
    for field, described in OFFICIAL[name]["properties"].items():
        if field not in ("type", "_meta") and (name, field) not in LOOSER:
            wanted = {word for keyword, word in KEYWORDS.items() if keyword in described}
            assert rule_of(ours[field]) == wanted, f"{name}.{field}"


def test_every_lenient_field_of_the_schema_is_one_of_ours() -> None:
    lenient = {
        name
        for name, found in OFFICIAL.items()
        for field, described in found.get("properties", {}).items()
        if field != "_meta" and KEYWORDS.keys() & described.keys()
    }
    assert lenient - {name for _, name in [*PAIRS, *MERGED]} <= WITHOUT_STRUCT


def test_every_update_kind_is_known() -> None:
    official = {part["properties"]["sessionUpdate"]["const"] for part in OFFICIAL["SessionUpdate"]["oneOf"]}
    ours = {
        struct.__struct_config__.tag for struct in schema.SessionUpdate.__args__ if struct is not schema.UnknownUpdate
    }
    assert ours == official


def test_every_method_is_in_the_tables() -> None:
    methods = {d["x-method"]: d["x-side"] for d in OFFICIAL.values() if "x-method" in d}
    unserved = {"mcp/message", "providers/list", "providers/set", "providers/disable"}
    for method, side in methods.items():
        if method in unserved or side == "proxy" or method.startswith("proxy/"):
            continue
        tables = {"agent": schema.AGENT_METHODS, "client": schema.CLIENT_METHODS}
        if side in tables:
            assert method in tables[side], method


# -- reading -----------------------------------------------------------------------------------------------


def update(value: dict[str, Any]) -> Any:
    raw = json.dumps({"sessionId": "s", "update": value}).encode()
    return schema.decode(raw, schema.SessionNotification).update


def test_bad_optional_values_count_as_absent() -> None:
    got = update(
        {
            "sessionUpdate": "tool_call_update",
            "toolCallId": "t",
            "title": 7,
            "kind": "teleport",
            "status": None,
            "locations": [{"path": "a", "line": 0}, {"line": 4}, 3, {"path": "b", "line": "x"}],
            "content": "nothing",
            "_meta": [],
            "later": {"x": 1},
        }
    )
    assert got == schema.ToolCallUpdate("t", locations=[schema.ToolCallLocation("a", 0), schema.ToolCallLocation("b")])


def test_content_of_unknown_type_is_kept_and_bare_blocks_are_content() -> None:
    got = update(
        {
            "sessionUpdate": "tool_call",
            "toolCallId": "t",
            "title": "T",
            "content": [
                {"type": "hologram", "x": 1},
                {"type": "text", "text": "bare"},
                {"type": "diff"},
                {"type": "content", "content": {"type": "smell"}},
                {"notype": 1},
            ],
        }
    )
    assert got.content == [
        schema.UnknownContent("hologram", {"type": "hologram", "x": 1}),
        schema.TextContent("bare"),
        schema.Content(schema.UnknownContent("smell", {"type": "smell"})),
    ]


@pytest.mark.parametrize(
    "value",
    [
        {"sessionUpdate": "tool_call_update"},
        {"sessionUpdate": "tool_call", "toolCallId": None},
        {"sessionUpdate": "agent_message_chunk"},
        {"sessionUpdate": "agent_message_chunk", "content": {"type": "text"}},
        {"sessionUpdate": "usage_update", "used": None, "size": None},
        {"sessionUpdate": "usage_update", "used": -1, "size": 2},
        {"sessionUpdate": "usage_update", "used": True, "size": 2},
        {"sessionUpdate": "current_mode_update"},
        {},
        {"sessionUpdate": 7},
        {"sessionUpdate": "plan"},
    ],
)
def test_an_update_without_what_it_needs_is_invalid(value: dict[str, Any]) -> None:
    with pytest.raises(schema.Invalid):
        update(value)


def test_an_unknown_kind_is_kept_raw() -> None:
    got = update({"sessionUpdate": "from_the_future", "x": [1]})
    assert got == schema.UnknownUpdate("from_the_future", {"sessionUpdate": "from_the_future", "x": [1]})


def test_null_clears_only_where_the_protocol_says_so() -> None:
    got = update({"sessionUpdate": "session_info_update", "title": None})
    assert got.title is None
    assert got.updated_at is schema.UNSET
    got = update({"sessionUpdate": "compaction_update", "compactionId": "c", "status": "x", "summary": None})
    assert got.summary is None
    assert got.error is schema.UNSET


def test_null_lists_of_requests_are_empty_and_bad_items_refuse() -> None:
    read = schema.decode(b'{"cwd":"/x","mcpServers":null,"additionalDirectories":null}', schema.NewSessionRequest)
    assert read == schema.NewSessionRequest("/x", [])
    for bad in ('{"cwd":"/x"}', '{"cwd":"/x","mcpServers":[3]}', '{"cwd":"/x","mcpServers":[{"name":"a"}]}'):
        with pytest.raises(schema.Invalid):
            schema.decode(bad.encode(), schema.NewSessionRequest)
    with pytest.raises(schema.Invalid):
        schema.decode(b'{"sessionId":"s","command":"x","args":["a",1]}', schema.CreateTerminalRequest)


def test_initialize_is_read_however_poor_it_is() -> None:
    poor = schema.decode(
        b'{"protocolVersion":1,"agentCapabilities":null,"authMethods":null,"agentInfo":null,"future":{}}',
        schema.InitializeResponse,
    )
    assert poor == schema.InitializeResponse(1)
    for version in ("2", '"1"', "null", "true", "1.5"):
        raw = b'{"protocolVersion":%s}' % version.encode()
        assert schema.decode(raw, schema.InitializeResponse).protocol_version == json.loads(version)
    assert schema.decode(b"{}", schema.InitializeResponse).protocol_version is None


def test_methods_of_an_unknown_type_are_shown() -> None:
    got = schema.decode(
        b'{"protocolVersion":1,"authMethods":[{"id":"a","name":"A"},{"id":"b","name":"B","type":"env_var"},{"id":3}]}',
        schema.InitializeResponse,
    )
    assert [(m.id, m.type) for m in got.auth_methods] == [("a", "agent"), ("b", "env_var")]


def test_options_may_be_grouped_and_unknown_ones_vanish() -> None:
    got = schema.decode(
        json.dumps(
            {
                "sessionId": "s",
                "configOptions": [
                    {
                        "id": "m",
                        "name": "Model",
                        "type": "select",
                        "currentValue": "b",
                        "options": [
                            {"group": "g", "name": "G", "options": [{"value": "a", "name": "A"}, 4]},
                            {"value": "b", "name": "B"},
                        ],
                    },
                    {"id": "x", "name": "X", "type": "slider"},
                    {"id": "f", "name": "Fast", "type": "boolean", "currentValue": True},
                ],
            }
        ).encode(),
        schema.SessionOpened,
    )
    assert got.config_options is not None
    select, boolean = got.config_options
    assert isinstance(select, schema.ConfigSelect)
    assert [choice.value for choice in select.choices()] == ["a", "b"]
    assert boolean == schema.ConfigBoolean("f", "Fast", True)


def test_a_form_keeps_fields_of_unknown_type() -> None:
    got = schema.decode(
        json.dumps(
            {
                "message": "m",
                "mode": "form",
                "sessionId": "s",
                "requestedSchema": {
                    "type": "object",
                    "properties": {
                        "name": {"type": "string", "minLength": 1, "default": 3},
                        "many": {"type": "array", "items": {"anyOf": [{"const": "a", "title": "A"}]}},
                        "odd": {"type": "tensor", "x": 1},
                    },
                    "required": ["name"],
                },
            }
        ).encode(),
        schema.CreateElicitationRequest,
    )
    assert got.requested_schema is not None
    kinds = {name: type(p).__name__ for name, p in got.requested_schema.properties.items()}
    assert kinds == {"name": "StringProperty", "many": "ArrayProperty", "odd": "UnknownProperty"}


def test_the_strict_and_the_tolerant_reader_agree() -> None:
    """What the fast reader takes, the slow one reads to the same value."""
    for path in sorted((Path(__file__).parent / "data" / "recorded").glob("*.jsonl")):
        for line in path.read_text().splitlines():
            message = json.loads(line).get("msg", {})
            if message.get("method") != "session/update":
                continue
            raw = json.dumps(message["params"]).encode()
            try:
                fast = msgspec.json.decode(raw, type=schema.SessionNotification)
            except msgspec.ValidationError:
                continue
            assert schema.convert(message["params"], schema.SessionNotification) == fast


# -- writing -----------------------------------------------------------------------------------------------

GOLDEN: list[tuple[str, Any, str]] = [
    (
        "InitializeRequest",
        schema.InitializeRequest(1, client_info=schema.Implementation("tpy", "1", title="tpy")),
        '{"protocolVersion":1,"clientCapabilities":{"fs":{},"auth":{}},'
        '"clientInfo":{"name":"tpy","version":"1","title":"tpy"}}',
    ),
    ("NewSessionRequest", schema.NewSessionRequest("/p", []), '{"cwd":"/p","mcpServers":[]}'),
    (
        "NewSessionRequest",
        schema.NewSessionRequest(
            "/p",
            [
                schema.McpServer.stdio("a", "/bin/a", [], {"K": "V"}),
                schema.McpServer.http("b", "http://x", {"H": "1"}),
                schema.McpServer.http("c", "http://y", {}, "sse"),
            ],
            ["/q"],
        ),
        '{"cwd":"/p","mcpServers":[{"name":"a","command":"/bin/a","args":[],"env":[{"name":"K","value":"V"}]},'
        '{"name":"b","type":"http","url":"http://x","headers":[{"name":"H","value":"1"}]},'
        '{"name":"c","type":"sse","url":"http://y","headers":[]}],"additionalDirectories":["/q"]}',
    ),
    (
        "LoadSessionRequest",
        schema.LoadSessionRequest("s", "/p", []),
        '{"sessionId":"s","cwd":"/p","mcpServers":[]}',
    ),
    ("ResumeSessionRequest", schema.ResumeSessionRequest("s", "/p"), '{"sessionId":"s","cwd":"/p"}'),
    ("ListSessionsRequest", schema.ListSessionsRequest(), "{}"),
    ("SetSessionModeRequest", schema.SetModeRequest("s", "m"), '{"sessionId":"s","modeId":"m"}'),
    (
        "SetSessionConfigOptionRequest",
        schema.SetConfigOptionRequest("s", "c", "v"),
        '{"sessionId":"s","configId":"c","value":"v"}',
    ),
    (
        "SetSessionConfigOptionRequest",
        schema.SetConfigOptionRequest("s", "c", False, "boolean"),
        '{"sessionId":"s","configId":"c","value":false,"type":"boolean"}',
    ),
    (
        "PromptRequest",
        schema.PromptRequest(
            "s",
            [
                schema.TextContent("é"),
                schema.ResourceLink("a.txt", "file:///p/a.txt", mime_type="text/plain"),
                schema.EmbeddedResource(schema.ResourceContents("file:///p/a.txt", text="x")),
                schema.ImageContent("AA==", "image/png"),
            ],
        ),
        '{"sessionId":"s","prompt":[{"type":"text","text":"é"},'
        '{"type":"resource_link","name":"a.txt","uri":"file:///p/a.txt","mimeType":"text/plain"},'
        '{"type":"resource","resource":{"uri":"file:///p/a.txt","text":"x"}},'
        '{"type":"image","data":"AA==","mimeType":"image/png"}]}',
    ),
    ("CancelNotification", schema.SessionId("s"), '{"sessionId":"s"}'),
    ("CancelRequestNotification", schema.CancelRequestNotification(0), '{"requestId":0}'),
    (
        "RequestPermissionResponse",
        schema.RequestPermissionResponse(schema.PermissionOutcome("selected", "x")),
        '{"outcome":{"outcome":"selected","optionId":"x"}}',
    ),
    (
        "RequestPermissionResponse",
        schema.RequestPermissionResponse(schema.PermissionOutcome("cancelled")),
        '{"outcome":{"outcome":"cancelled"}}',
    ),
    ("ReadTextFileResponse", schema.ReadTextFileResponse(""), '{"content":""}'),
    ("WriteTextFileResponse", schema.Empty(), "{}"),
    ("CreateTerminalResponse", schema.CreateTerminalResponse("t"), '{"terminalId":"t"}'),
    (
        "TerminalOutputResponse",
        schema.TerminalOutputResponse("x", False, schema.TerminalExitStatus(0)),
        '{"output":"x","truncated":false,"exitStatus":{"exitCode":0}}',
    ),
    ("WaitForTerminalExitResponse", schema.TerminalExitStatus(signal="SIGTERM"), '{"signal":"SIGTERM"}'),
    (
        "CreateElicitationResponse",
        schema.CreateElicitationResponse("accept", {"a": 1, "b": ["x"]}),
        '{"action":"accept","content":{"a":1,"b":["x"]}}',
    ),
    ("CreateElicitationResponse", schema.CreateElicitationResponse("decline"), '{"action":"decline"}'),
    (
        "SessionNotification",
        schema.SessionNotification("s", schema.AgentMessageChunk(schema.TextContent("hi"), "m1")),
        '{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"hi"},'
        '"messageId":"m1"}}',
    ),
    (
        "SessionNotification",
        schema.SessionNotification(
            "s",
            schema.ToolCall("t", "Edit", kind="edit", status="pending", content=[schema.Diff("/p/a", "new", "old")]),
        ),
        '{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"t","title":"Edit","kind":"edit",'
        '"status":"pending","content":[{"type":"diff","path":"/p/a","newText":"new","oldText":"old"}]}}',
    ),
    (
        "SessionNotification",
        schema.SessionNotification("s", schema.Plan([schema.PlanEntry("a", "high", "pending")])),
        '{"sessionId":"s","update":{"sessionUpdate":"plan","entries":[{"content":"a","priority":"high",'
        '"status":"pending"}]}}',
    ),
    (
        "SessionNotification",
        schema.SessionNotification("s", schema.SessionInfoUpdate(title=None)),
        '{"sessionId":"s","update":{"sessionUpdate":"session_info_update","title":null}}',
    ),
]


@pytest.mark.parametrize(("name", "message", "wire"), GOLDEN, ids=[g[0] for g in GOLDEN])
def test_messages_on_the_wire(name: str, message: Any, wire: str, validate: Callable[[str, Any], None]) -> None:
    assert json.loads(schema.encode(message)) == json.loads(wire)
    validate(name, json.loads(wire))
    assert schema.decode(wire.encode(), type(message)) == message
