#!/usr/bin/env node
import { spawn } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { type RawData, WebSocket, WebSocketServer } from 'ws'

/*
 * Starts Firefox and relays WebDriver BiDi between it and Playwright. Playwright sets the color scheme of each new
 * browser context, by a command that no Firefox with extended support knows yet. The relay confirms this command if it
 * asks for the default of Playwright, which is light, or for dark, which Firefox shows. It also names the downloads of files that a
 * page created, because Playwright ignores those without a name. It passes on everything else.
 */

interface Command {
  readonly id: number
  readonly method: string
  readonly params: { readonly features: Readonly<Record<string, string | null>> }
}

interface DownloadEvent {
  /** Answers have none. */
  readonly method?: string
  readonly params: { readonly navigation: string | null; readonly url: string }
}

const parseCommand = (data: RawData): Command => JSON.parse(data.toString())

const isGivenAnyway = ({ method, params }: Command): boolean =>
  method === 'emulation.setMediaFeaturesOverride' &&
  [null, undefined, 'light', 'dark'].includes(params.features['prefers-color-scheme'])

/** Firefox names a download by its navigation. A file that a page created has none, but an address of its own. */
const nameDownload = (text: string): string => {
  if (!text.includes('browsingContext.download')) return text
  const event: DownloadEvent = JSON.parse(text)
  if (!event.method?.startsWith('browsingContext.download') || event.params.navigation) return text
  return JSON.stringify({ ...event, params: { ...event.params, download: event.params.url } })
}

/** Relays one connection. Messages that arrive before Firefox has accepted it wait. */
const relay = (client: WebSocket, address: string) => {
  const firefox = new WebSocket(address, { maxPayload: 0 })
  const isOpen = new Promise((resolve) => firefox.once('open', resolve))
  // Firefox sends no more until the last part is acknowledged (RFC 896), and the system waits 40 ms for something to send with an
  // acknowledgement. An unasked pong (RFC 6455 5.5.3) takes it along at once. Otherwise every third answer is late.
  firefox.once('upgrade', ({ socket }) => socket.on('data', () => firefox.pong()))
  client.on('message', async (data) => {
    await isOpen
    const command = parseCommand(data)
    if (isGivenAnyway(command)) client.send(JSON.stringify({ type: 'success', id: command.id, result: {} }))
    else firefox.send(data.toString())
  })
  firefox.on('message', (data) => client.send(nameDownload(data.toString())))
  firefox.on('close', () => client.close())
  client.on('close', () => firefox.close())
}

const browser = spawn(process.env['FIREFOX'] ?? '/usr/bin/firefox-esr', process.argv.slice(2), {
  stdio: ['ignore', 'ignore', 'pipe'],
})
browser.on('exit', (code) => process.exit(code ?? 1))
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => browser.kill(signal))

const announcement = /WebDriver BiDi listening on (ws:\/\/\S+)/
for await (const line of createInterface({ input: browser.stderr })) {
  const address = announcement.exec(line)?.[1]
  if (!address) process.stderr.write(`${line}\n`)
  else {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0, maxPayload: 0 })
    server.on('connection', (client) => relay(client, `${address}/session`))
    server.on('listening', () => {
      const { port } = server.address() as AddressInfo
      process.stderr.write(`WebDriver BiDi listening on ws://127.0.0.1:${port}\n`)
    })
  }
}
