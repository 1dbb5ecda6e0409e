import { parseIpAddress, unmapIpv4 } from '../util/parse-ip-address.ts'

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
