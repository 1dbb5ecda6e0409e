import { BlockList, isIPv4 } from 'node:net'
import { parseIpAddress, unmapIpv4 } from '../kernel/util/parse-ip-address.ts'
import { getHeader, type HttpEvent } from './http-types.ts'

export interface ViewerRule {
  /** Proxies whose entries in `X-Forwarded-For` count. */
  readonly trustedProxies?: BlockList | undefined
  /** Whether the request came through the front door, which it proved with the origin secret. */
  readonly isFromFrontDoor?: boolean | undefined
}

/**
 * Finds the address of the viewer: the client in front of all proxies that the service trusts. Limits, known networks and
 * audit events count this address. The rule:
 *
 * 1. Start with the address of the connection, which no header can change. For a request through the front door, start
 *    with `CloudFront-Viewer-Address`, which CloudFront sets and no client can.
 * 2. While the address is one of a trusted proxy, take the entry of `X-Forwarded-For` that this proxy added. Each proxy
 *    adds its own client at the end, so the entries are read from right to left.
 *
 * The first address that is not trusted is the result. Entries to its left are never read, because the client could have
 * sent them. An entry that is not an address ends the search as well. The proxy that added it counts then.
 */
export const findViewerAddress = (
  event: HttpEvent,
  { trustedProxies = new BlockList(), isFromFrontDoor = false }: ViewerRule,
): string => {
  const { sourceIp } = event.requestContext.http
  const connection = readClientAddress(sourceIp)
  let address = isFromFrontDoor ? (readFrontDoorAddress(event) ?? connection) : connection
  if (address === undefined) return sourceIp
  const entries = (getHeader(event, 'x-forwarded-for') ?? '').split(',').reverse()
  // API Gateway adds the address of the connection itself.
  if (readForwardedAddress(entries[0] ?? '') === connection) entries.shift()
  for (const entry of entries) {
    if (!isIn(trustedProxies, address)) return address
    const next = readForwardedAddress(entry)
    if (next === undefined) return address
    address = next
  }
  return address
}

/**
 * Returns the country of the viewer, as ISO 3166-1 alpha-2. CloudFront sets the header and no client can. Call this only for
 * requests through the front door. Behind a further proxy, it is the country of that proxy.
 */
export const findViewerCountry = (event: HttpEvent): string | undefined =>
  /^[A-Z]{2}$/.exec(getHeader(event, 'cloudfront-viewer-country') ?? '')?.[0]

const isIn = (ranges: BlockList, address: string): boolean =>
  ranges.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')

/** Reads an entry of `X-Forwarded-For`. Some proxies add a port, and brackets around IPv6 addresses. */
const readForwardedAddress = (entry: string): string | undefined => {
  const [, ipv6, ipv4] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/.exec(entry.trim()) ?? []
  return readClientAddress(ipv6 ?? ipv4 ?? entry)
}

/** Reads the header that CloudFront sets. It always ends with a port, also after an IPv6 address without brackets. */
const readFrontDoorAddress = (event: HttpEvent): string | undefined => {
  const header = getHeader(event, 'cloudfront-viewer-address') ?? ''
  const [, bracketed, plain] = /^(?:\[([^\]]*)\]|([^[\]]*)):\d{1,5}$/.exec(header.trim()) ?? []
  return readClientAddress(bracketed ?? plain ?? '')
}

/** Addresses that no client can have. Private addresses are accepted, because a product can serve an intranet. */
const impossibleRanges: readonly string[] = ['unspecified', 'broadcast', 'multicast']

/**
 * Reads one address in the form in which the service counts and records it: an IPv4 address, or an IPv6 address as in
 * RFC 5952. Returns undefined for other texts, such as lists, and addresses with a port.
 */
export const readClientAddress = (text: string): string | undefined => {
  const parsed = parseIpAddress(text.trim())
  const address = parsed && unmapIpv4(parsed)
  return address && !impossibleRanges.includes(address.range()) ? address.toString() : undefined
}
