/** Where people report vulnerabilities of a deployed service, as `/.well-known/security.txt` says. */
export interface SecurityContact {
  /** An address with `mailto:` or `https:`. */
  readonly address: string
  /** Epoch milliseconds. From then on, nobody is told the address, because it may reach nobody any more. */
  readonly endsAt: number
}

/** Reads the address. Returns an error text, to be put after the name of the setting, if it is invalid. */
export const readSecurityAddress = (text: string): { readonly address: string } | string => {
  const url = text.length <= 500 && /^[\x21-\x7e]+$/.test(text) ? URL.parse(text) : null
  const isMail = url?.protocol === 'mailto:' && /^[^@?]+@[^@?]+\.[^@?]+$/.test(url.pathname) && !url.search
  const isPage = url?.protocol === 'https:' && `${url.username}${url.password}` === ''
  return isMail || isPage
    ? { address: text }
    : 'must be an address such as mailto:security@example.com or https://example.com/security'
}
