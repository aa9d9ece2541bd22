// Tasks, as the package of the extension io.modelcontextprotocol/tasks drives them with client v2: those of 2026-07-28,
// and of 2025-11-25 where the client is a legacy one.

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createApplicationInputHandler, createTaskSessionFromClient, resultFromTaskOutcome } from '@modelcontextprotocol/ext-tasks/client';
import { eventually, fetch_as, payload, program, start } from './support.mjs';

const configuration = (folder) => `version: 1
server: { name: tasks, listen: "127.0.0.1:0" }
timeouts: { grace: 1s }
tasks: { spool: ${join(folder, 'spool')}, poll_interval: 20ms }
defaults: { task: auto, task_after: 150ms }
plugins: [ ${program('SLUICE_FIXTURE_PLUGIN')} ]
tools:
  report:
    description: Takes its time.
    parameters: { seconds: { type: string, pattern: "^[0-9.]+$", required: true } }
    command: [sh, -c, 'sleep "$1"; echo "after $1"', report, "{seconds}"]
    task: always
    timeout: 1h
  strict: { description: Only as a task., command: [echo, strict], task: required }
  failing: { description: Fails., command: [sh, -c, "echo some; exit 3"], task: always }
  table: { description: The table., command: [cat, table.json], directory: ${folder}, task: always }
  touch:
    description: Makes a file.
    parameters: { name: { type: string, pattern: "^[a-z_]+$", required: true } }
    confirm: "Make {name}?"
    command: [touch, --, "{name}"]
    directory: ${folder}
    task: always
`;

const capabilities = { elicitation: { form: {} }, sampling: {}, roots: {} };
const client_info = { name: 'tests', version: '2' };

// Client v2 itself refuses the results that are tasks, so that what the package sends goes around it, through its
// transport.
function dispatch_of(client) {
  const { transport } = client;
  const waiting = new Map();
  const pass_on = transport.onmessage;
  transport.onmessage = (message, extra) => {
    const settle = waiting.get(message.id);
    if (settle === undefined || message.method !== undefined) return pass_on(message, extra);
    waiting.delete(message.id);
    settle(message.error ? { kind: 'error', error: message.error } : { kind: 'result', result: message.result });
  };
  let last = 0;
  return (request, { signal, context } = {}) =>
    new Promise((resolve, reject) => {
      const id = `task-${++last}`;
      waiting.set(id, resolve);
      const message = { jsonrpc: '2.0', id, ...request };
      transport.send(message, { headers: context?.headers, requestSignal: signal }).catch(reject);
    });
}

export function describe_task_sessions(mode) {
  const is_modern = mode === 'auto';

  describe(`task sessions, ${is_modern ? '2026-07-28' : '2025-11-25'}`, () => {
    let folder, sluice, client, session, sent, asked, answers;
    const watched_fetch = (input, init) => {
      const method = /"method":"([^"]+)"/.exec(init?.body ?? '')?.[1];
      if (method) sent.push(method);
      return fetch(input, init);
    };
    const answer = (request, context) => {
      asked.push({ request, context });
      return answers.shift();
    };
    const connect = async (fetch, more = {}) => {
      const it = new Client(client_info, { capabilities: { ...capabilities, ...more }, versionNegotiation: { mode } });
      await it.connect(new StreamableHTTPClientTransport(new URL(sluice.found), { fetch }));
      return it;
    };
    const attach = (it) =>
      createTaskSessionFromClient(it, {
        endpointId: 'tests',
        onInputRequest: createApplicationInputHandler({ elicitation: answer, sampling: answer, roots: answer }),
        ...(is_modern && {
          rawDispatch: dispatch_of(it),
          v2RequestFraming: {
            protocolVersion: it.getNegotiatedProtocolVersion(),
            clientInfo: client_info,
            clientCapabilities: capabilities,
          },
        }),
      });
    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'sluice-tasks-'));
      writeFileSync(join(folder, 'table.json'), payload(5_000_000));
      const file = join(folder, 'sluice.yaml');
      writeFileSync(file, configuration(folder));
      sluice = await start(program('SLUICE_BINARY'), ['serve', '-c', file], /serving .* on (http:\/\/\S+)/);
      sent = [];
      client = await connect(watched_fetch);
      session = attach(client);
    });
    beforeEach(() => {
      sent = [];
      asked = [];
      answers = [];
    });
    after(async () => {
      await session?.close();
      await client?.close();
      const code = await sluice?.close();
      rmSync(folder, { recursive: true });
      assert.equal(code, 0, sluice?.log.slice(-20).join('\n'));
    });

    // In 2025-11-25 it is the request that asks for a task.
    const begin = (name, args) => session.callTool(name, args, is_modern ? {} : { task: { preference: 'require' } });
    // All that is told of a call until it is over.
    const call = async (name, args = {}) => {
      const execution = await begin(name, args);
      const states = [];
      const onEvent = (event) => {
        if (event.type === 'task' && states.at(-1) !== event.task.status) states.push(event.task.status);
      };
      const { outcome, lastTask } = await execution.settle({ onEvent });
      return { kind: execution.kind, states, outcome, task: lastTask };
    };
    const text_of = (result) => result.content.map((block) => block.text).join('');
    const text_in = (outcome) => text_of(resultFromTaskOutcome(outcome));  // throws what the task failed with

    test('a tool that is always a task is answered with one, and looked at until its result is there', async () => {
      const execution = await begin('report', { seconds: '0.2' });
      assert.equal(execution.kind, 'task');
      const first = await session.task(execution.handle.taskId).snapshot();
      assert.equal(first.status, 'working');
      assert.equal(first.suggestedPollIntervalMs, 20);
      assert.ok(first.retentionMs >= 3_600_000, `${first.retentionMs}`);  // its timeout, and what is kept beyond
      const { outcome, lastTask } = await execution.settle();
      assert.equal(outcome.status, 'completed');
      assert.equal(text_in(outcome), 'after 0.2\n');
      assert.equal(lastTask.status, 'completed');
      assert.ok(sent.filter((method) => method === 'tasks/get').length > 2, `${sent}`);
      // It stays.
      const again = await session.task(execution.handle.taskId).result();
      assert.equal(text_in(again), 'after 0.2\n');
    });

    test('a result of any size comes byte for byte', async () => {
      const { outcome } = await call('table');
      assert.ok(text_in(outcome) === payload(5_000_000), 'the text is another');
    });

    test('a tool that fails completes its task, with the error', async () => {
      const { kind, outcome, task } = await call('failing');
      assert.equal(kind, 'task');
      assert.equal(task.statusMessage, 'The tool reported an error.');
      if (!is_modern) return assert.equal(outcome.status, 'failed');
      assert.equal(outcome.status, 'completed');
      assert.equal(outcome.result.isError, true);
      assert.match(text_in(outcome), /^some\n/);
    });

    test('a handler that throws fails its task', async () => {
      const { outcome } = await call('throws', { ms: 400, text: 'some' });
      assert.equal(outcome.status, 'failed');
      assert.match(outcome.error.message, /The tool failed unexpectedly/);
    });

    test('a task is cancelled', async () => {
      const execution = await begin('report', { seconds: '3600' });
      const settling = execution.settle();
      await execution.cancel();
      assert.equal((await settling).outcome.status, 'cancelled');
      assert.equal((await session.task(execution.handle.taskId).snapshot()).status, 'cancelled');
      assert.ok(sent.includes('tasks/cancel'));
    });

    // In 2025-11-25 questions come in answer to tasks/result, which the package asks for only once a task is over.
    if (is_modern) {
      test('the extension is offered', () => {
        assert.deepEqual(client.getServerCapabilities().extensions['io.modelcontextprotocol/tasks'], {});
        assert.equal(session.capabilities.execution, true);
      });

      test('a call becomes a task once it takes long', async () => {
        assert.equal((await call('echo', { text: 'here' })).kind, 'immediate');
        const slow = await call('slow', { ms: 600, text: 'done' });
        assert.equal(slow.kind, 'task');
        assert.equal(text_in(slow.outcome), 'done');
      });

      test('a question of a task is answered', async () => {
        answers = [{ action: 'accept', content: { name: 'Ann' } }];
        const { kind, states, outcome } = await call('ask_name', { ms: 400 });
        assert.equal(kind, 'task');
        assert.equal(text_in(outcome), 'Hello Ann!');
        assert.equal(asked.length, 1);
        const { request, context } = asked[0];
        assert.equal(request.params.message, 'Who are you?');
        assert.deepEqual(request.params.requestedSchema.required, ['name']);
        assert.equal(context.scope, 'task');
        assert.equal(context.delivery, 'task-update');
        assert.ok(sent.includes('tasks/update'));
        assert.ok(states.includes('input_required'), `${states}`);
      });

      test('a question of a task is declined', async () => {
        answers = [{ action: 'decline' }];
        const { outcome } = await call('ask_name', { ms: 400 });
        assert.equal(text_in(outcome), 'decline');
      });

      test('several questions of a task, one after the other and at once', async () => {
        answers = ['a', 'b', 'c'].map((name) => ({ action: 'accept', content: { name } }));
        const rounds = await call('ask_rounds', { n: 3 });
        assert.equal(text_in(rounds.outcome), '"a";"b";"c";');
        answers = [{ action: 'accept', content: {} }, { action: 'decline' }];
        const many = await call('ask_many', { n: 2, ms: 400 });
        assert.equal(text_in(many.outcome), '2 answers');
      });

      test('what a tool asks before it runs', async () => {
        answers = [{ action: 'accept', content: {} }, { action: 'decline' }];
        const made = await call('touch', { name: 'agreed' });
        assert.equal(made.outcome.status, 'completed');
        assert.equal(asked[0].request.params.message, 'Make agreed?');
        assert.ok(existsSync(join(folder, 'agreed')));
        const declined = await call('touch', { name: 'declined' });
        assert.ok(!existsSync(join(folder, 'declined')));
        assert.match(text_in(declined.outcome), /Nothing was done\.$/);
      });

      test('what is asked before a call is a task is its result first', async () => {
        answers = [{ action: 'accept', content: { name: 'Ann' } }];
        const { kind, outcome } = await call('ask_name', { after: 600 });
        assert.equal(kind, 'task');
        assert.equal(asked[0].context.delivery, 'request-retry');
        assert.equal(text_in(outcome), 'Hello Ann!');
      });

      test('who listens to a task is told of its end, with the result', async () => {
        const listener = await connect(fetch, { extensions: { 'io.modelcontextprotocol/tasks': {} } });
        const told = [];
        listener.fallbackNotificationHandler = ({ method, params }) => told.push({ method, params });
        const execution = await begin('report', { seconds: '0.4' });
        const { taskId } = execution.handle;
        const subscription = await listener.listen({ taskIds: [taskId] });
        await execution.settle();
        const { method, params } = await eventually(() => told.at(-1), (last) => last?.params.status === 'completed');
        assert.equal(method, 'notifications/tasks');
        assert.equal(params.taskId, taskId);
        assert.equal(text_of(params.result), 'after 0.4\n');
        await subscription.close();
        await listener.close();
      });

      test('a tool that is nothing but a task is refused to clients without the extension', async () => {
        const plain = await connect(fetch);
        await assert.rejects(plain.callTool({ name: 'strict', arguments: {} }), (error) => error.code === -32021);
        assert.equal(text_of(await plain.callTool({ name: 'report', arguments: { seconds: '0.1' } })), 'after 0.1\n');
        await plain.close();
        assert.equal(text_in((await call('strict')).outcome), 'strict\n');
      });

      test('a task is taken over on another connection, and is not for another caller', async () => {
        const execution = await begin('report', { seconds: '0.3' });
        const { taskId } = execution.handle;
        const reference = execution.serializeReference();
        await execution.detach();
        const strange = await connect(fetch_as('other'));
        const stranger = attach(strange);
        await assert.rejects(stranger.task(taskId).snapshot(), /There is no such task, or it has expired/);
        await assert.rejects(stranger.task(taskId).cancel(), /There is no such task, or it has expired/);
        await strange.close();
        const other = await connect(fetch);
        const resumed = await attach(other).resumeTask(reference);
        const { outcome } = await resumed.settle();
        assert.equal(text_in(outcome), 'after 0.3\n');
        await other.close();
      });
    }
  });
}
