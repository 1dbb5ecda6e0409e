import { serve } from '@hono/node-server'
import { createFilmServer } from './server.ts'

const { LATCHKEY_URL: latchkeyUrl = 'http://localhost:3000', PORT: port = '4100' } = process.env
const resource = `http://127.0.0.1:${port}/mcp`
serve({ fetch: createFilmServer({ latchkeyUrl, resource }), port: Number(port), hostname: '127.0.0.1' }, () =>
  console.log(`ready ${resource}`),
)
