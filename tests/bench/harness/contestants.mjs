// Who is measured: sluice, the limits (the same bytes with nothing done for them), and what users would run instead.

const all = ['echo', 'cached', 'get_data'];
const kept = ['echo', 'cached'];

/** `server` names how it is started (servers.mjs), `accept` which form it is asked for, where it goes by that.
 *  `own_text`: it gives the payload in a text of its own, so the text is not compared. */
export const contestants = [
  { who: 'sluice-sse', title: 'sluice, SSE', server: 'sluice', accept: 'sse', tools: all },
  { who: 'ready-sse', title: 'ready-made bytes (limit), SSE', server: 'ready-sse', accept: 'both', tools: kept },
  { who: 'proxy', title: 'minimal proxy (limit), JSON', server: 'proxy', accept: 'both', tools: ['get_data'] },
  {
    who: 'proxy-bounded',
    title: 'minimal proxy with our kernel buffers, JSON',
    server: 'proxy-bounded',
    accept: 'both',
    tools: ['get_data'],
  },
  { who: 'ready-json', title: 'ready-made bytes (limit), JSON', server: 'ready-json', accept: 'both', tools: kept },
  { who: 'sluice-json', title: 'sluice, JSON', server: 'sluice', accept: 'json', tools: all },
  {
    who: 'sluice-again',
    title: 'sluice, JSON, a second process',
    server: 'sluice-again',
    accept: 'json',
    tools: all,
    noise: true,
  },
  { who: 'ts-sse', title: 'TypeScript SDK 2, SSE', server: 'ts-sse', accept: 'both', tools: all, peer: true },
  { who: 'ts-json', title: 'TypeScript SDK 2, JSON', server: 'ts-json', accept: 'both', tools: all, peer: true },
  {
    who: 'toolbox',
    title: 'MCP Toolbox (Go)',
    server: 'toolbox',
    accept: 'both',
    era: 'legacy',
    tools: all,
    peer: true,
    own_text: true,
  },
];

export const named = (who) => contestants.find((c) => c.who === who);

/** Beside whom sluice stands in each form: [sluice, limit]. */
const ready = [
  ['sluice-sse', 'ready-sse'],
  ['sluice-json', 'ready-json'],
];
export const beside = {
  echo: ready,
  cached: ready,
  get_data: [
    ['sluice-sse', 'proxy'],
    ['sluice-json', 'proxy'],
    // What the bound on the kernel's memory costs anybody.
    ['proxy-bounded', 'proxy'],
  ],
};
