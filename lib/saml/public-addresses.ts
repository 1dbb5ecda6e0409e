import ipaddr from 'ipaddr.js'
import { parseIpAddress } from '../util/parse-ip-address.ts'

/** The part of IPv6 that is assigned to the internet (RFC 4291 2.4). All other parts have other uses. */
const globalUnicast = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number]

/**
 * Whether an address belongs to the public internet. This excludes private, link-local, multicast and documentation
 * addresses, and all IPv6 forms that contain an IPv4 address, because that may be any of those.
 */
export const isPublicAddress = (text: string): boolean => {
  const address = parseIpAddress(text)
  if (!address) return false
  const isUnicast = address.range() === 'unicast'
  return address.kind() === 'ipv4' ? isUnicast : isUnicast && (address as ipaddr.IPv6).match(globalUnicast)
}

export const isLoopbackAddress = (text: string): boolean => parseIpAddress(text)?.range() === 'loopback'
