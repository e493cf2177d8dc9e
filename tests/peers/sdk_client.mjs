// The official TypeScript SDK's client driving an agent, run by node: node sdk_client.mjs SDK DIRECTORY AGENT…
// Does and prints what sdk_client.py does.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { Readable, Writable } from "node:stream";

const [sdk, directory, command, ...args] = process.argv.slice(2);
const { ClientSideConnection, PROTOCOL_VERSION, ndJsonStream } = await import(sdk);
const found = { text: "", kinds: new Set(), tools: new Map(), asked: 0 };

const client = {
  async sessionUpdate({ update }) {
    found.kinds.add(update.sessionUpdate);
    if (update.sessionUpdate === "agent_message_chunk") found.text += update.content.text ?? "";
    if (update.sessionUpdate.startsWith("tool_call") && update.status) found.tools.set(update.toolCallId, update.status);
  },
  async requestPermission({ options }) {
    found.asked += 1;
    const chosen = options.find((option) => option.kind === "allow_once");
    return { outcome: { outcome: "selected", optionId: chosen.optionId } };
  },
  async readTextFile({ path, line, limit }) {
    const lines = readFileSync(path, "utf8").split(/(?<=\n)/);
    const start = (line ?? 1) - 1;
    return { content: lines.slice(start, limit == null ? undefined : start + limit).join("") };
  },
  async writeTextFile({ path, content }) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return {};
  },
};

const child = spawn(command, args, { cwd: directory, stdio: ["pipe", "pipe", "inherit"] });
const stream = ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout));
const agent = new ClientSideConnection(() => client, stream);
const fs = { readTextFile: true, writeTextFile: true };
const hello = await agent.initialize({ protocolVersion: PROTOCOL_VERSION, clientCapabilities: { fs } });
const { sessionId } = await agent.newSession({ cwd: directory, mcpServers: [] });
const stops = [];
for (const prompt of readFileSync(0, "utf8").split("\n").filter((line) => line.trim())) {
  stops.push((await agent.prompt({ sessionId, prompt: [{ type: "text", text: prompt }] })).stopReason);
}
child.stdin.end();
const tools = [...new Set(found.tools.values())].sort();
const answer = { agent: hello.agentInfo.name, stops, text: found.text, kinds: [...found.kinds].sort(), tools };
console.log(JSON.stringify({ ...answer, asked: found.asked }));
