// The page with live made-up data, without Java: `npm run dev`. ROWS=10000, SPEED=1, MODE=dry-run, TOKEN=abc choose others.
import { createServer } from 'vite';
import { StandIn } from './standin.js';

const { ROWS = '60', SPEED = '60', MODE = 'scale-down', TOKEN = '', DEGRADED = '' } = process.env;
await new StandIn({ rows: Number(ROWS), speed: Number(SPEED), mode: MODE, token: TOKEN, degraded: DEGRADED !== '' }).start(8091);
const vite = await createServer();
await vite.listen();
vite.printUrls();
