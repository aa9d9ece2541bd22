// An upstream with what the reference upstream has not: text in characters of one to four bytes, and results that it
// gives in pages itself.

import { createServer } from 'node:http';

// About 2 MB, in lines of different length.
export const text = Array.from({ length: 30_000 }, (_, i) => `${i}: naïve 台積電 ${'😀é'.repeat(i % 13)} end\n`).join('');

export const records = Array.from({ length: 95 }, (_, i) => ({ id: i, name: `名 ${i}` }));

// GET /text                 the text
// GET /records?size=&page=  { records, next, more }: the number of the next page and its path, null on the last one
// GET /feed?size=&from=     an array, the URL of what follows in the Link header
function answer(request, response) {
  const url = new URL(request.url, 'http://archive');
  const size = Number(url.searchParams.get('size') ?? 20);
  const json = (value, fields = {}) =>
    response.writeHead(200, { 'Content-Type': 'application/json', ...fields }).end(JSON.stringify(value));
  if (url.pathname === '/text')
    return response.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8' }).end(text);
  if (url.pathname === '/records') {
    const page = Number(url.searchParams.get('page') ?? 0);
    const is_last = (page + 1) * size >= records.length;
    return json({
      records: records.slice(page * size, (page + 1) * size),
      next: is_last ? null : page + 1,
      more: is_last ? null : `/records?size=${size}&page=${page + 1}`,
    });
  }
  if (url.pathname === '/feed') {
    const from = Number(url.searchParams.get('from') ?? 0);
    const next = from + size;
    const first = `</feed?size=${size}>; rel="first"`;
    const link = next >= records.length ? first : `${first}, <?size=${size}&from=${next}>; rel="next"; title="a, b"`;
    return json(records.slice(from, next), { Link: link });
  }
  return response.writeHead(404).end();
}

export async function start_archive() {
  const server = createServer(answer);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${server.address().port}`, close };
}
