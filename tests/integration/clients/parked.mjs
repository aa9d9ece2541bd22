// Results that are kept, and results in pages, as any of the official clients reads them.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { records, text } from './archive.mjs';
import { pages_of as tool_pages_of } from './legacy.mjs';

const part_bytes = 65_536;  // parking.part, as it is by default
const table_bytes = 2_000_000;

const bytes_of = async (url) => Buffer.from(await (await fetch(url)).arrayBuffer());

const is_failed = (result) => result.isError ?? false;

// The same bytes; assert.deepEqual would print both.
function assert_same(came, expected) {
  assert.equal(came.length, expected.length);
  assert.ok(came.equals(expected), 'the bytes are others');
}

// connect_other(): a client of another caller; connect_again(): one more of the same, where it need not be one session.
export function parked_results({ server, client, call, connect_other, connect_again }) {
  const read = async (uri, it = client()) => {
    const { contents } = await it.readResource({ uri });
    assert.equal(contents.length, 1);
    assert.equal(contents[0].uri, uri);
    return contents[0];
  };
  const read_result = (args) => call({ name: 'read_result', arguments: args });
  const refuses = async (promise, message) => {
    const result = await promise;
    assert.equal(is_failed(result), true, JSON.stringify(result).slice(0, 500));
    assert.match(result.content.map((block) => block.text).join(''), message);
  };

  for (const [kind, { request, source, mime_type }] of Object.entries({
    JSON: {
      request: { name: 'parked_table', arguments: { bytes: table_bytes } },
      source: () => `${server().market}/data?bytes=${table_bytes}`,
      mime_type: 'application/json',
    },
    text: {
      request: { name: 'parked_text', arguments: {} },
      source: () => `${server().archive}/text`,
      mime_type: 'text/plain',
    },
  })) {
    describe(`${kind} that is kept`, () => {
      let expected, content, uri;
      before(async () => {
        expected = await bytes_of(source());
        ({ content } = await call(request));
        uri = content[2]?.uri;
      });

      test('its beginning is given, what to do, and a link', () => {
        assert.deepEqual(content.map((block) => block.type), ['text', 'text', 'resource_link']);
        const [beginning, notice, link] = content;
        const size = Buffer.byteLength(beginning.text);
        assert.ok(size > 3_500 && size <= 4_096, `${size}`);
        assert.match(link.uri, /^sluice:\/\/result\/[0-9a-f]{32}$/);
        assert.equal(link.name, request.name);
        assert.equal(link.size, expected.length);
        assert.equal(link.mimeType, mime_type);
        for (const part of [`${expected.length} bytes`, link.uri, 'read_result', '?offset=0&limit=16384'])
          assert.ok(notice.text.includes(part), notice.text);
        if (kind === 'text') return assert.ok(expected.toString().startsWith(beginning.text));
        const [some, all] = [JSON.parse(beginning.text), JSON.parse(expected)];
        assert.ok(some.rows.length > 0);
        assert.deepEqual(some, { ...all, rows: all.rows.slice(0, some.rows.length) });
      });

      test('the link is read whole', async () => {
        const { text, mimeType } = await read(uri);
        assert.equal(mimeType, mime_type);
        assert_same(Buffer.from(text), expected);
      });

      test('parts by offset and limit make up the whole', async () => {
        const pieces = [];
        for (let offset = 0; offset < expected.length; ) {
          const piece = Buffer.from((await read(`${uri}?offset=${offset}&limit=100003`)).text);
          assert.ok(piece.length > 0 && piece.length <= 100_003, `${piece.length}`);
          offset += piece.length;
          pieces.push(piece);
        }
        assert.ok(pieces.length >= 20);
        assert_same(Buffer.concat(pieces), expected);
      });

      test('an offset inside of a character begins at the character', async () => {
        const at = expected.indexOf(Buffer.from('台積電'));
        assert.equal((await read(`${uri}?offset=${at + 1}&limit=9`)).text, '台積電');
        // Less than one character is one: else nobody would come past it.
        assert.equal((await read(`${uri}?offset=${at}&limit=1`)).text, '台');
        assert.equal((await read(`${uri}?offset=${expected.length}&limit=9`)).text, '');
      });

      test('read_result gives it all, one part after the other', async () => {
        const pieces = [];
        for (let offset = 0; offset !== undefined; ) {
          const result = await read_result({ result: uri, offset });
          assert.equal(is_failed(result), false);
          const [part, notice] = result.content;
          const piece = Buffer.from(part.text);
          assert.ok(piece.length <= part_bytes, `${piece.length}`);
          pieces.push(piece);
          const next = /go on with offset=(\d+)\.$/.exec(notice.text)?.[1];
          if (next === undefined) assert.equal(notice.text, 'This is the end of the result.');
          else assert.equal(Number(next), offset + piece.length);
          offset = next && Number(next);
        }
        assert_same(Buffer.concat(pieces), expected);
      });

      if (kind === 'JSON') {
        test('some of its items come as a document of their own', async () => {
          const { rows, ...rest } = JSON.parse(expected);
          for (const [range, wanted] of [
            ['0-99', rows.slice(0, 100)],
            ['7', [rows[7]]],
            ['31000-31999', rows.slice(31_000, 32_000)],
            [`${rows.length - 5}-`, rows.slice(-5)],
            [`${rows.length + 5}-`, []],
          ])
            assert.deepEqual(JSON.parse((await read(`${uri}?items=${range}`)).text), { ...rest, rows: wanted }, range);
        });

        test('read_result gives all of its items', async () => {
          const rows = [];
          for (let next = 0; next !== undefined; ) {
            const { content: [part, notice] } = await read_result({ result: uri, items: `${next}-` });
            assert.ok(Buffer.byteLength(part.text) <= part_bytes);
            rows.push(...JSON.parse(part.text).rows);
            next = /the next item is (\d+)\.$/.exec(notice.text)?.[1];
            if (next === undefined) assert.equal(notice.text, 'This is the end of the result.');
            else assert.equal(Number(next), rows.length);
          }
          assert.deepEqual(rows, JSON.parse(expected).rows);
        });

        test('a line that is longer than a part is cut, and read on by offset', async () => {
          const { content: [part, notice] } = await read_result({ result: uri, lines: '0' });
          const piece = Buffer.from(part.text);
          assert.ok(piece.length <= part_bytes && piece.length > part_bytes - 4, `${piece.length}`);
          assert_same(piece, expected.subarray(0, piece.length));
          assert.match(notice.text, /^The line is longer than parking.part \(64KiB\) and was cut \(of \d+ bytes in all\): go on with offset=/);
          assert.equal(/offset=(\d+)\.$/.exec(notice.text)[1], `${piece.length}`);
        });
      } else {
        test('some of its lines are read', async () => {
          const lines = expected.toString().split(/(?<=\n)/);
          for (const [range, wanted] of [
            ['0-99', lines.slice(0, 100)],
            ['7', [lines[7]]],
            ['20000-20999', lines.slice(20_000, 21_000)],
            [`${lines.length - 5}-`, lines.slice(-5)],
          ])
            assert.equal((await read(`${uri}?lines=${range}`)).text, wanted.join(''), range);
          await refuses(read_result({ result: uri, items: '0-9' }), /no JSON, so it has no items/);
        });

        test('read_result gives all of its lines', async () => {
          let all = '';
          for (let next = 0; next !== undefined; ) {
            const { content: [part, notice] } = await read_result({ result: uri, lines: `${next}-` });
            assert.ok(Buffer.byteLength(part.text) <= part_bytes, `${Buffer.byteLength(part.text)}`);
            assert.ok(part.text.endsWith('\n'));
            all += part.text;
            next = /the next line is (\d+)\.$/.exec(notice.text)?.[1];
            if (next === undefined) assert.equal(notice.text, 'This is the end of the result.');
          }
          assert_same(Buffer.from(all), expected);
        });
      }

      if (connect_again)
        test('it is there on another connection', async () => {
          const again = await connect_again();
          assert_same(Buffer.from((await read(uri, again)).text), expected);
          await again.close();
        });

      test('it is not for another caller', async () => {
        const other = await connect_other();
        for (const part of ['', '?offset=0&limit=9'])
          await assert.rejects(read(`${uri}${part}`, other), (error) => {
            assert.match(error.message, /There is no such result: it has expired, or it was made for another caller/);
            return [-32602, -32002].includes(error.code);
          });
        await refuses(other.callTool({ name: 'read_result', arguments: { result: uri } }), /made for another caller/);
        await other.close();
        assert_same(Buffer.from((await read(uri)).text), expected);  // its own caller still has it
      });
    });
  }

  test('a result that is small is given as ever', async () => {
    const { content } = await call({ name: 'parked_table', arguments: { bytes: 60_000 } });
    assert.equal(content.length, 1);
    assert_same(Buffer.from(content[0].text), await bytes_of(`${server().market}/data?bytes=60000`));
  });

  test('what is no result is told', async () => {
    const none = `sluice://result/${'0'.repeat(32)}`;
    await assert.rejects(read(none), /There is no such result/);
    await refuses(read_result({ result: none }), /There is no such result/);
    await refuses(read_result({ result: 'nonsense' }), /There is no such result/);
  });

  test('tools with pages take a cursor, and how results are read is listed', async () => {
    const tools = (await tool_pages_of(client())).flat();
    const schema = (name) => tools.find((tool) => tool.name === name).inputSchema;
    for (const name of ['table_in_pages', 'text_in_pages', 'lines_in_pages', 'records', 'records_by_link']) {
      assert.equal(schema(name).properties.cursor.type, 'string');
      assert.ok(!schema(name).required?.includes('cursor'));
    }
    assert.deepEqual(Object.keys(schema('read_result').properties).sort(), ['items', 'limit', 'lines', 'offset', 'result']);
    assert.deepEqual(schema('read_result').required, ['result']);
  });

  // All pages, each as [its text, what is said of the next one].
  const pages_of = async (request) => {
    const pages = [];
    for (let cursor; ; ) {
      const args = { ...request.arguments, ...(cursor && { cursor }) };
      const result = await call({ name: request.name, arguments: args });
      assert.equal(is_failed(result), false, JSON.stringify(result).slice(0, 500));
      pages.push(result.content);
      cursor = /this cursor for the next [^:]+: (\S+)$/.exec(result.content[1]?.text ?? '')?.[1];
      if (cursor === undefined) return pages;
    }
  };

  test('pages of items are tables of their own, and hold all rows', async () => {
    const expected = await bytes_of(`${server().market}/data?bytes=${table_bytes}`);
    const { columns, rows } = JSON.parse(expected);
    const pages = await pages_of({ name: 'table_in_pages', arguments: { bytes: table_bytes } });
    assert.equal(pages.length, Math.ceil(rows.length / 5_000));
    const [, notice, link] = pages[0];
    assert.match(notice.text, /this cursor for the next 5000 items: \S+$/);
    assert.equal(link.mimeType, 'application/json');
    assert_same(Buffer.from((await read(link.uri)).text), expected);
    const came = pages.map(([page]) => {
      const [head, ...lines] = page.text.trimEnd().split('\n');
      assert.deepEqual(head.split(','), columns);
      return lines.map((line) => line.split(','));
    });
    assert.ok(came.slice(0, -1).every((page) => page.length === 5_000));
    assert.deepEqual(came.flat(), rows.map((row) => row.map(String)));
    assert.ok(pages.slice(1).every((page) => page.length === 2));
    assert.equal(pages.at(-1)[1].text, 'This is the last page.');
  });

  for (const [by, tool, count] of [
    ['bytes', 'text_in_pages', Math.ceil(Buffer.byteLength(text) / 100_003)],
    ['lines', 'lines_in_pages', 12],
  ])
    test(`pages of ${by} make up the whole`, async () => {
      const pages = await pages_of({ name: tool, arguments: {} });
      assert_same(Buffer.from(pages.map(([page]) => page.text).join('')), await bytes_of(`${server().archive}/text`));
      assert.equal(pages.length, count);
      assert.equal(pages[0][2].mimeType, 'text/plain');
      assert.equal(pages.at(-1)[1].text, 'This is the last page.');
    });

  test('a result of one page is given as ever', async () => {
    const pages = await pages_of({ name: 'table_in_pages', arguments: { bytes: 10_000 } });
    assert.equal(pages.length, 1);
    assert.equal(pages[0].length, 1);
  });

  for (const [name, records_of] of [
    ['records', (page) => page.records],
    ['records_by_path', (page) => page.records],
    ['records_by_link', (page) => page],
  ])
    test(`pages of an upstream are followed to their end: ${name}`, async () => {
      for (const [size, count] of [[10, 10], [95, 1], [19, 5], [undefined, 5]]) {
        const pages = await pages_of({ name, arguments: size === undefined ? {} : { size } });
        assert.equal(pages.length, count);
        assert.deepEqual(pages.flatMap(([page]) => records_of(JSON.parse(page.text))), records);
        assert.equal(pages.at(-1).length, 1);  // nothing is said where nothing follows
      }
    });

  test('a cursor is good for its own tool, arguments and caller', async () => {
    const cursor_of = ({ content }) => /: (\S+)$/.exec(content[1].text)[1];
    const refusal = /The cursor is none that this tool gave for these arguments/;
    const other = await connect_other();
    for (const [request, others] of [
      [{ name: 'table_in_pages', arguments: { bytes: 500_000 } }, { bytes: 500_001 }],
      [{ name: 'records', arguments: { size: 10 } }, { size: 11 }],
      [{ name: 'records_by_link', arguments: { size: 10 } }, {}],
    ]) {
      const cursor = cursor_of(await call(request));
      const with_cursor = (args, it) => ({ name: request.name, arguments: { ...args, cursor: it } });
      await refuses(call(with_cursor(others, cursor)), refusal);
      const middle = cursor.length / 2;
      const forged = cursor.slice(0, middle) + (cursor[Math.floor(middle)] === 'A' ? 'B' : 'A') + cursor.slice(middle + 1);
      await refuses(call(with_cursor(request.arguments, forged)), refusal);
      await refuses(call(with_cursor(request.arguments, 'nonsense')), refusal);
      await refuses(call({ name: 'text_in_pages', arguments: { cursor } }), refusal);
      await refuses(other.callTool(with_cursor(request.arguments, cursor)), refusal);
      assert.equal(is_failed(await call(with_cursor(request.arguments, cursor))), false);
    }
    await other.close();
  });
}
