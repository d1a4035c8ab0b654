import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import type { Uri as EditorUri } from "vscode";

import { Views } from "../../src/islands/views";
import type { CaptureView } from "../../src/protocol";
import type { Session } from "../../src/session";
import { EventEmitter, Uri, workspace } from "../vscode";
import { island, view } from "./views";

const A = uriOf("file:///a.py");
const B = uriOf("file:///b.py");

function uriOf(text: string): EditorUri {
  return Uri.parse(text) as unknown as EditorUri;
}

/** A server that answers when the test says so. */
class Server {
  readonly changed = new EventEmitter<EditorUri>();
  readonly asked: { uri: string; answer: (view: CaptureView | null) => void }[] = [];
  readonly session = {
    log: { warn: (text: string) => assert.fail(text) },
    onViewChanged: this.changed.event,
    captureView: (uri: EditorUri) =>
      new Promise<CaptureView | null>((answer) => this.asked.push({ uri: uri.toString(), answer })),
  } as unknown as Session;

  /** Answers the oldest request. */
  async answer(view: CaptureView | null): Promise<void> {
    const request = this.asked.shift();
    assert.ok(request, "nothing was asked");
    request.answer(view);
    await new Promise((resolve) => setImmediate(resolve));
  }

  get open(): string[] {
    return this.asked.map(({ uri }) => uri);
  }
}

let server: Server;
let views: Views;
let told: number;

beforeEach(() => {
  workspace.textDocuments = [];
  server = new Server();
  views = new Views(server.session);
  told = 0;
  views.onTold(() => (told += 1));
});

test("a file is asked for once, and again when its view has changed", async () => {
  views.want([A]);
  views.want([A]);
  assert.deepEqual(server.open, ["file:///a.py"]);
  await server.answer(view(A.toString()));
  views.want([A]);
  assert.deepEqual(server.open, []);
  server.changed.fire(A);
  assert.deepEqual(server.open, ["file:///a.py"]);
  await server.answer(view(A.toString()));
  assert.equal(told, 2);
});

test("changes during a request lead to one more, and only the last answer is told", async () => {
  views.want([A]);
  server.changed.fire(A);
  server.changed.fire(A);
  await server.answer(view(A.toString(), { name: "old" }));
  assert.equal(told, 0);
  await server.answer(view(A.toString(), { name: "new" }));
  assert.deepEqual(server.open, []);
  assert.equal(told, 1);
  assert.equal(views.all[0]?.entries[0]?.name, "new");
});

test("while there is no server nothing is held, and the file is asked for again", async () => {
  views.want([A]);
  await server.answer(null);
  assert.equal(told, 0);
  views.want([A]);
  assert.deepEqual(server.open, ["file:///a.py"]);
});

test("an answer to another text than the one that is there is asked for again", async () => {
  const document = { uri: B as unknown as Uri, version: 1, languageId: "python" };
  workspace.textDocuments = [document];
  const reaching = view(A.toString(), { islands: [island(B.toString(), 0, [1, 1])] });
  views.want([A]);
  document.version = 2;
  await server.answer(reaching);
  assert.equal(told, 0);
  while (server.open.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  await server.answer(reaching);
  assert.equal(told, 1);
});

test("a change of a file is one of the views that reach into it", async () => {
  views.want([A]);
  await server.answer(view(A.toString(), { islands: [island(B.toString(), 0, [1, 1])] }));
  server.changed.fire(B);
  assert.deepEqual(server.open.sort(), ["file:///a.py", "file:///b.py"]);
});

test("of closed files those views stay that reach into an open one", async () => {
  views.want([A]);
  await server.answer(view(A.toString(), { islands: [island(B.toString(), 0, [1, 1])] }));
  views.keep([B]);
  assert.equal(views.all.length, 1);
  views.keep([]);
  assert.equal(views.all.length, 0);
});
