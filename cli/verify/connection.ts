import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { isIP } from 'node:net'
import { connect } from 'node:tls'
import { codeOf } from '../../local/command-failure.ts'
import { type AreaCheck, Failed, Skipped } from './check.ts'
import type { Send } from './request.ts'

/* The checks of what is before the service: DNS, TLS, redirects, and the clock of this machine. */

const day = 24 * 60 * 60_000

/** ACM renews a certificate about 60 days before it expires. With fewer days left, the renewal does not work. */
const minDaysLeft = 21

/** Signatures of AWS, one-time passwords and SAML accept small differences only. */
const maxClockDifferenceMs = 30_000

export const buildConnectionChecks = (origin: string, send: Send): readonly AreaCheck[] => {
  const url = new URL(origin)
  return [
    {
      id: 'dns',
      title: 'DNS',
      advice:
        'Point the DNS name at the output AuthDomainTarget… of the stack, or wait until the new record is known.',
      docs: 'docs/deploy.md#first-deployment',
      run: () => checkDns(url),
    },
    {
      id: 'certificate',
      title: 'TLS certificate',
      advice: `Look at the certificate in ACM: its name must be ${url.hostname}, and its validation record must exist in the DNS zone.`,
      docs: 'docs/deploy.md#first-deployment',
      run: (signal) => checkCertificate(url, signal),
    },
    {
      id: 'http',
      title: 'Redirect from plain http',
      advice: 'Let the proxy before the service redirect http to https, or close port 80.',
      docs: 'docs/configuration.md#proxies',
      run: async (signal) => {
        if (url.protocol === 'http:') throw new Skipped('The service itself runs on plain http.')
        if (url.port !== '') throw new Skipped('The service does not use the port of https.')
        return checkPlainHttp(`http://${url.host}/`, url.host, signal)
      },
    },
    {
      id: 'clock',
      title: 'Clock of this machine',
      advice: 'Synchronize the clock of this machine, then verify again. The clocks of AWS are right.',
      docs: 'docs/deploy.md#check-the-deployment',
      run: (signal) => checkClock(send, signal),
    },
  ]
}

const checkDns = async ({ hostname }: URL): Promise<string> => {
  const host = hostname.replaceAll(/[[\]]/g, '')
  if (isIP(host) || host === 'localhost') throw new Skipped('The URL has no name in the DNS.')
  try {
    const addresses = await lookup(host, { all: true })
    const count = (family: number) => addresses.filter((one) => one.family === family).length
    return `${count(4)} IPv4 and ${count(6)} IPv6 addresses.`
  } catch (error) {
    throw new Failed(`${host} has no address (${codeOf(error)}).`)
  }
}

/** Connects without a check first, so that the days left and the reason can be reported. */
const checkCertificate = async (url: URL, signal: AbortSignal): Promise<string> => {
  if (url.protocol === 'http:') throw new Skipped('The service runs on plain http.')
  const host = url.hostname.replaceAll(/[[\]]/g, '')
  const socket = connect({
    host,
    port: Number(url.port || 443),
    rejectUnauthorized: false,
    ...(isIP(host) ? {} : { servername: host }),
  })
  try {
    await once(socket, 'secureConnect', { signal })
    const { valid_to } = socket.getPeerCertificate()
    const daysLeft = Math.floor((Date.parse(valid_to) - Date.now()) / day)
    if (daysLeft < 0) throw new Failed('The certificate has expired.')
    if (daysLeft < minDaysLeft)
      throw new Failed(`The certificate expires in ${daysLeft} days, and was not renewed.`)
    const { authorizationError } = socket
    if (!socket.authorized)
      throw new Failed(
        `Clients do not trust the certificate (${codeOf(authorizationError) || String(authorizationError)}).`,
      )
    return `${daysLeft} days left, ${socket.getProtocol()}.`
  } finally {
    socket.destroy()
  }
}

/** How long a port may stay silent. API Gateway does not answer there at all. */
const plainHttpMs = 5000

/** A closed or silent port is fine as well: nothing can be sent to it. */
export const checkPlainHttp = async (address: string, host: string, signal: AbortSignal): Promise<string> => {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(plainHttpMs)])
  const response = await fetch(address, { redirect: 'manual', signal: limited }).catch(() => undefined)
  signal.throwIfAborted()
  if (!response) return 'The port of http does not answer.'
  await response.body?.cancel()
  const target = URL.parse(response.headers.get('location') ?? '', address)
  if (response.status < 300 || response.status > 399)
    throw new Failed(`Plain http is answered with ${response.status} instead of a redirect.`)
  if (target?.protocol !== 'https:' || target.host !== host)
    throw new Failed('Plain http is redirected to another address than https of the same name.')
  return `It leads to https, with ${response.status}.`
}

const checkClock = async (send: Send, signal: AbortSignal): Promise<string> => {
  const sentAt = Date.now()
  const { headers } = await send('GET', '/api/2/health', { signal })
  const now = Date.now()
  const there = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(there)) throw new Skipped('The answer has no Date header.')
  // The header has whole seconds, and was written between the request and the answer.
  const difference = there + 1000 < sentAt ? there + 1000 - sentAt : Math.max(0, there - now)
  if (Math.abs(difference) > maxClockDifferenceMs)
    throw new Failed(
      `This machine is ${Math.round(Math.abs(difference) / 1000)} seconds ${difference > 0 ? 'behind' : 'ahead of'} the service.`,
    )
  return 'It agrees with the Date header.'
}
