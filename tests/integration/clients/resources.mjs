// Resources, as any of the official clients reads them.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually, payload } from './support.mjs';

// watch(client, uri, receiver): tells `receiver` of the URIs that have changed.
export function resource_life({ server, client, watch }) {
  test('resources and templates are listed with what is said of them', async () => {
    const { resources } = await client().listResources();
    const of = (uri) => resources.find((resource) => resource.uri === uri);
    assert.equal(of('demo://welcome').title, 'Welcome');
    assert.deepEqual(of('demo://welcome').annotations, { audience: ['user'] });
    assert.equal(of('demo:///notes/first.md').size, 3);
    assert.equal(of('ui://demo/clock.html').mimeType, 'text/html;profile=mcp-app');
    const { resourceTemplates } = await client().listResourceTemplates();
    assert.deepEqual(
      resourceTemplates.map((template) => template.uriTemplate),
      ['demo://notes/{name}', 'sluice://result/{id}{?offset,limit,items,lines}'],
    );
  });

  test('resources are read: text, bytes, files, templates, an upstream', async () => {
    const read = async (uri) => (await client().readResource({ uri })).contents[0];
    assert.equal((await read('demo://welcome')).text, '# Hello');
    assert.equal((await read('demo://pixel.png')).blob, 'iVBORw0KGgo=');
    assert.equal((await read('demo:///notes/first.md')).text, 'one');
    assert.equal((await read('demo://notes/first')).text, 'one');
    assert.deepEqual((await read('ui://demo/clock.html'))._meta, { ui: { prefersBorder: true } });
    assert.equal((await read('demo://table')).text, payload(3_000_000));
    await assert.rejects(read('demo://notes/none'), (error) => [-32602, -32002].includes(error.code));
  });

  test('variables of a template are completed', async () => {
    const { completion } = await client().complete({
      ref: { type: 'ref/resource', uri: 'demo://notes/{name}' },
      argument: { name: 'name', value: 'sec' },
    });
    assert.deepEqual(completion.values, ['second']);
  });

  test('who watches a file is told that it has changed', async () => {
    const changed = [];
    const stop = await watch(client(), 'demo:///notes/first.md', (uri) => changed.push(uri));
    writeFileSync(join(server().folder, 'notes', 'first.md'), 'one');
    await eventually(() => changed, (uris) => uris.includes('demo:///notes/first.md'));
    await stop();
  });
}
