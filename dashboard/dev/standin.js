// A stand-in for Fallow's server: answers docs/rest-api.md from a made-up fleet, and serves the built page with the same
// policy as the real one.
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { Fleet } from './fleet.js';

export const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; " +
  "frame-ancestors 'none'; base-uri 'none'; form-action 'self'";

const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };
const PAGES = /^\/($|nodes$|history$|savings$|workloads\/)/;

export class StandIn {
  /** @param options rows, speed, mode, degraded; token: who changes has to send it; refuse: the reason for which changes are refused;
   *   issuer: the host at which one signs in;
   *   closed: nothing is shown without the token; noStream: requests are answered, streams are not; dist: the built page */
  constructor(options = {}) {
    this.options = { cycleMillis: 3000, ...options };
    this.fleet = new Fleet(options);
    this.listeners = new Set();
    this.requests = [];
    this.email = '';
    this.server = createServer((request, response) => {
      this.answer(request, response).catch((failure) => {
        this.problem(response, 500, 'BUG', String(failure));
      });
    });
  }

  async start(port = 0) {
    await new Promise((resolve) => this.server.listen(port, '127.0.0.1', resolve));
    this.timer = setInterval(() => this.cycle(), this.options.cycleMillis);
    this.comments = setInterval(() => this.listeners.forEach((response) => response.write(': still here\n\n')), 15_000);
    return this.server.address().port;
  }

  async stop() {
    clearInterval(this.timer);
    clearInterval(this.comments);
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  cycle() {
    const { changed, altered, deeds } = this.fleet.cycle();
    this.tell('fleet', { at: this.fleet.summary().at, summary: this.fleet.summary(), steps: 1, changed, altered, gone: [] });
    if (deeds.length > 0) {
      this.tell('history', { items: deeds });
    }
  }

  tell(event, data) {
    const text = `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
    this.listeners.forEach((response) => response.write(text));
  }

  /** Breaks every stream, as a restart of the server would. */
  dropStreams() {
    this.listeners.forEach((response) => response.destroy());
    this.listeners.clear();
  }

  async answer(request, response) {
    const url = new URL(request.url, 'http://stand-in');
    if (this.options.issuer && url.pathname === '/auth/login') {
      this.signedIn = true;
      response.writeHead(303, { Location: url.searchParams.get('return') });
      return response.end();
    }
    if (!url.pathname.startsWith('/api/')) {
      return this.file(url.pathname, response);
    }
    this.requests.push({ method: request.method, path: url.pathname + url.search, headers: request.headers });
    if (this.options.down) {
      return this.problem(response, 503, 'METRICS_UNAVAILABLE', 'The source of metrics did not answer.');
    }
    if (this.options.closed && request.headers.authorization !== `Bearer ${this.options.token}`) {
      return this.problem(response, 401, 'WHO_ARE_YOU', 'This server shows nothing without a name. Sign in with a token.');
    }
    if (this.options.noStream && url.pathname.endsWith('/stream')) {
      return this.problem(response, 503, 'NO_STREAM', 'A proxy in between lets no stream through.');
    }
    const path = url.pathname.slice('/api/v1'.length);
    const who = this.who(request);
    if (request.method !== 'GET') {
      return this.write(request, response, path, who);
    }
    const query = url.searchParams;
    const { fleet } = this;
    if (path === '/me') return this.json(response, who);
    if (path === '/summary') return this.json(response, fleet.summary());
    if (path === '/workloads') return this.json(response, { at: fleet.summary().at, items: [...fleet.workloads.values()], next: null });
    if (path === '/nodes') return this.json(response, { items: fleet.nodes() });
    if (path === '/history') return this.json(response, this.historyPage(query));
    if (path === '/savings') return this.savings(request, response, query);
    if (path === '/report') return this.json(response, fleet.report());
    if (path === '/stream') return this.stream(response);
    const [row, part] = this.find(path);
    if (row && part === undefined) return this.json(response, row);
    if (row && part === 'why') {
      return row.state === 'PAUSED'
        ? this.problem(response, 404, 'NO_LIVE_POD', 'It is paused, so there is no evidence.')
        : this.json(response, fleet.why(row));
    }
    if (row && part === 'autoscalers') return this.json(response, { items: fleet.autoscalers(row) });
    return this.problem(response, 404, 'NOT_FOUND', 'There is no such workload, or it holds no GPU any more.');
  }

  who(request) {
    const { token, signIn = ['token'] } = this.options;
    if (!token && !this.options.signIn) {
      return { name: 'local', by: 'none', verified: false, mayChange: true, signIn: [] };
    }
    if (token && request.headers.authorization === `Bearer ${token}`) {
      return { name: 'alice', by: 'token', verified: true, mayChange: true, signIn };
    }
    if (this.signedIn) {
      return { name: 'carol', by: 'oidc', verified: true, mayChange: true, signIn, issuer: this.options.issuer };
    }
    if (this.email) {
      return { name: this.email, by: 'email', verified: false, mayChange: true, signIn };
    }
    return { name: null, by: 'none', verified: false, mayChange: false, signIn, issuer: this.options.issuer };
  }

  async write(request, response, path, who) {
    if (request.headers['x-requested-with'] !== 'fallow' && !request.headers.authorization) {
      return this.problem(response, 403, 'FORBIDDEN', 'X-Requested-With is missing.');
    }
    const body = await bodyOf(request);
    if (path === '/session' && request.method === 'DELETE') {
      this.signedIn = false;
      response.writeHead(204);
      return response.end();
    }
    if (path === '/session') {
      this.email = body.email;
      return this.json(response, this.who(request));
    }
    if (request.headers.authorization && request.headers.authorization !== `Bearer ${this.options.token}`) {
      return this.problem(response, 401, 'WHO_ARE_YOU', 'The token is not valid. Get a new one.');
    }
    if (!who.mayChange) {
      return this.problem(response, 401, 'WHO_ARE_YOU', 'Say who you are first: sign in with a token.');
    }
    const [row, part] = this.find(path);
    if (!row) {
      return this.problem(response, 404, 'NOT_FOUND', 'There is no such workload.');
    }
    if (this.options.refuse) {
      return this.problem(response, 409, this.options.refuse, 'Argo CD has undone two pauses of it; it is left alone.');
    }
    const { fleet } = this;
    const changed = fleet.change(row, (copy) => {
      if (part === 'keep' && request.method === 'POST') {
        const standing = copy.keep ? Date.parse(copy.keep.until) : 0;
        const until = body.until ? Date.parse(body.until) : Math.max(fleet.now() + body.hours * 3_600_000, standing);
        fleet.keep(copy, until, who.name, body.reason);
      } else if (part === 'keep') {
        delete copy.keep;
        if (copy.state === 'KEPT') {
          fleet.become(copy, 'IDLE');
        }
      } else if (part === 'pause') {
        fleet.become(copy, 'PAUSED');
        Object.assign(copy.pause, { at: fleet.summary().at, by: who.name, reason: body.reason || 'paused by hand' });
        this.tell('history', { items: [fleet.done(copy, 'PAUSE', who.name, 'paused by hand')] });
      } else if (part === 'resume') {
        copy.costPerHour = copy.costBefore;
        fleet.become(copy, 'BUSY');
        this.tell('history', { items: [fleet.done(copy, 'RESUME', who.name, 'brought back exactly as it was')] });
      }
    });
    this.tell('fleet', { at: fleet.summary().at, summary: fleet.summary(), changed: [changed], gone: [] });
    return this.json(response, changed);
  }

  find(path) {
    const [, , namespace, kind, name, part] = path.split('/').map(decodeURIComponent);
    return [this.fleet.workloads.get(`${kind}/${namespace}/${name}`), part];
  }

  historyPage(query) {
    const limit = Number(query.get('limit') ?? 100);
    const from = Number(query.get('cursor') ?? 0);
    const found = this.fleet.history.filter((deed) => {
      const [kind, namespace, name] = deed.workload.split('/');
      const wanted = { kind, namespace, name, verb: deed.verb.toLowerCase() };
      return (
        Object.entries(wanted).every(([field, value]) => !query.get(field) || query.get(field) === value) &&
        (!query.get('since') || deed.at >= query.get('since'))
      );
    });
    return { items: found.slice(from, from + limit), next: found.length > from + limit ? String(from + limit) : null };
  }

  savings(request, response, query) {
    const data = this.fleet.savings(query.get('by') ?? 'day', query.get('from'), query.get('to'));
    if (!request.headers.accept?.includes('text/csv')) {
      return this.json(response, data);
    }
    const fields = Object.keys(data.items[0] ?? { key: '' });
    response.writeHead(200, { 'Content-Type': 'text/csv' });
    response.end([fields.join(','), ...data.items.map((row) => fields.map((field) => row[field]).join(','))].join('\r\n') + '\r\n');
  }

  stream(response) {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    const { fleet } = this;
    const all = { at: fleet.summary().at, summary: fleet.summary(), changed: [...fleet.workloads.values()], gone: [], whole: true };
    response.write(`event: fleet\ndata: ${JSON.stringify(all)}\n\n`);
    this.listeners.add(response);
    response.on('close', () => this.listeners.delete(response));
  }

  json(response, body) {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(body));
  }

  problem(response, status, reason, detail) {
    response.writeHead(status, { 'Content-Type': 'application/problem+json' });
    response.end(JSON.stringify({ type: 'about:blank', title: reason, status, reason, detail }));
  }

  async file(path, response) {
    const { dist } = this.options;
    const wanted = normalize(PAGES.test(path) ? '/index.html' : path);
    try {
      const bytes = await readFile(join(dist, wanted));
      response.writeHead(200, { 'Content-Type': TYPES[extname(wanted)] ?? 'application/octet-stream', 'Content-Security-Policy': POLICY });
      response.end(bytes);
    } catch {
      this.problem(response, 404, 'NOT_FOUND', 'There is no such page.');
    }
  }
}

async function bodyOf(request) {
  let text = '';
  for await (const chunk of request) {
    text += chunk;
  }
  return text ? JSON.parse(text) : {};
}
