// What all measures share: where things are, who takes part, and what was read.

export class Bench {
  readings = [];
  left_out = [];
  #absent = new Set();
  #no_peers = false;
  #begun = Date.now();
  #said = 0;

  /** `build` has the programs, `folder` the payloads; `upstream` runs. */
  constructor({ build, source, folder, upstream, settings }) {
    Object.assign(this, { build, source, folder, upstream, settings });
    this.only = new RegExp(settings.only ?? '');
  }

  get seconds_so_far() {
    return Math.round((Date.now() - this.#begun) / 1000);
  }

  leave_out_peers(why) {
    this.#no_peers = true;
    this.left_out.push(why);
  }
  leave_out({ title, server }, why) {
    this.#absent.add(server);
    this.left_out.push(`${title}: ${why}`);
  }
  is_here = ({ peer, server }) => !(peer && this.#no_peers) && !this.#absent.has(server);

  /** Whether --only names this cell. */
  wants = ({ section, tool, size, connections }) =>
    this.only.test([section, tool, size, connections && `x${connections}`].filter(Boolean).join(' '));

  record(reading) {
    this.readings.push(reading);
    const terminal = process.stderr.isTTY;
    if (this.seconds_so_far - this.#said < (terminal ? 1 : 30)) return;
    this.#said = this.seconds_so_far;
    const now = [reading.section, reading.tool, reading.size, reading.who].filter(Boolean).join(' ');
    const line = `${this.#said} s, ${this.readings.length} readings: ${now}`;
    process.stderr.write(terminal ? `\r\x1b[K${line}` : `${line}\n`);
  }
}
