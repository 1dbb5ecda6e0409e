import type { Config } from '../../kernel/settings/config.ts'
import type { AddressRules } from './web-address.ts'

/** Rules for URLs that browsers are sent to: https, or loopback addresses if the service itself runs on plain http. */
export const getAddressRules = ({ publicUrl }: Config): AddressRules => ({
  allowsLoopback: publicUrl.startsWith('http:'),
})

/** Rules for URLs that the service fetches: https, or loopback addresses if the configuration allows it. */
export const getFetchRules = ({ allowPrivateMetadata }: Config): AddressRules => ({
  allowsLoopback: allowPrivateMetadata,
})
