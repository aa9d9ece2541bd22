// Tasks of 2025-11-25, as the client of version 1 drives them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';

async function collect(stream) {
  const messages = [];
  for await (const message of stream) messages.push(message);
  return messages;
}

export function task_life({ client }) {
  const report = (seconds) => ({ name: 'report', arguments: { seconds } });
  const start = async (seconds, options) => {
    const stream = client().experimental.tasks.callToolStream(report(seconds), CallToolResultSchema, { task: {}, ...options });
    const first = await stream.next();
    assert.equal(first.value.type, 'taskCreated');
    return { stream, id: first.value.task.taskId };
  };

  test('a call that is asked for as a task is followed to its result', async () => {
    await client().listTools();  // which says what tools can be tasks
    const messages = await collect(client().experimental.tasks.callToolStream(report('0.3'), CallToolResultSchema, { task: { ttl: 60_000 } }));
    assert.equal(messages[0].type, 'taskCreated');
    assert.equal(messages[0].task.ttl, 60_000);
    assert.equal(messages.at(-1).type, 'result');
    assert.equal(messages.at(-1).result.content[0].text, 'after 0.3\n');
    assert.ok(messages.some((message) => message.type === 'taskStatus'));
  });

  test('a task is listed, looked at, and its result fetched more than once', async () => {
    const { stream, id } = await start('0.2');
    assert.equal((await collect(stream)).at(-1).type, 'result');
    const { tasks } = await client().experimental.tasks.listTasks();
    assert.ok(tasks.some((task) => task.taskId === id && task.status === 'completed'));
    assert.equal((await client().experimental.tasks.getTask(id)).status, 'completed');
    const result = await client().experimental.tasks.getTaskResult(id, CallToolResultSchema);
    assert.equal(result.content[0].text, 'after 0.2\n');
  });

  test('a task is cancelled', async () => {
    const { stream, id } = await start('3600');
    const cancelled = await client().experimental.tasks.cancelTask(id);
    assert.equal(cancelled.status, 'cancelled');
    assert.equal((await collect(stream)).at(-1).type, 'error');
    assert.equal((await client().experimental.tasks.getTask(id)).status, 'cancelled');
  });

  test('without being asked for, a call of the same tool is an ordinary one', async () => {
    const result = await client().callTool(report('0.3'));
    assert.equal(result.content[0].text, 'after 0.3\n');
  });
}
