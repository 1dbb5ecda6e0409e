import type { Page } from 'playwright-core'
import type { JsonValue } from './client.ts'
import { SoftwarePasskey } from './passkeys.ts'
import { addVirtualAuthenticator } from './virtual-authenticator.ts'

type Reply = { readonly credential: JsonValue } | { readonly error: string }

/**
 * Runs in the page, in front of the API of the browser (WebAuthn Level 3, section 5). The options keep their JSON, which
 * is what the device reads. Suggestions in the username field wait until the page withdraws them.
 */
const script = `(() => {
  if (typeof PublicKeyCredential !== 'function') return
  const given = new WeakMap()
  for (const name of ['parseCreationOptionsFromJSON', 'parseRequestOptionsFromJSON']) {
    const parse = PublicKeyCredential[name].bind(PublicKeyCredential)
    PublicKeyCredential[name] = (json) => {
      const options = parse(json)
      given.set(options, json)
      return options
    }
  }
  const ask = async (kind, { publicKey, mediation, signal }) => {
    if (mediation === 'conditional')
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
    const { credential, error } = await askPasskeyDevice(kind, given.get(publicKey), location.origin)
    if (error) throw new DOMException('The device refused.', error)
    return Object.create(PublicKeyCredential.prototype, { toJSON: { value: () => credential } })
  }
  CredentialsContainer.prototype.create = (options) => ask('create', options)
  CredentialsContainer.prototype.get = (options) => ask('get', options)
})()`

/** A device with passkeys in software, for browsers that simulate none. */
const addSoftwareDevice = async (page: Page): Promise<void> => {
  const stored: SoftwarePasskey[] = []
  const reply = (kind: 'create' | 'get', options: JsonValue, origin: string): Reply => {
    const listed: readonly JsonValue[] =
      (kind === 'create' ? options.excludeCredentials : options.allowCredentials) ?? []
    const known = stored.filter((passkey) => listed.some(({ id }) => id === passkey.id.toString('base64url')))
    if (kind === 'get') {
      const [passkey] = listed.length > 0 ? known : stored
      return passkey ? { credential: passkey.get(options, { origin }) } : { error: 'NotAllowedError' }
    }
    if (known.length > 0) return { error: 'InvalidStateError' }
    const passkey = new SoftwarePasskey()
    stored.push(passkey)
    return { credential: passkey.create(options, { origin }) }
  }
  await page.exposeFunction('askPasskeyDevice', reply)
  await page.addInitScript(script)
}

/**
 * Gives a page a device that stores passkeys, with a user who is always present. Chromium simulates one. Firefox does
 * not, so that a device in software answers there. Add it before the page opens the service.
 */
export const addPasskeyDevice = async (page: Page): Promise<void> => {
  if (page.context().browser()?.browserType().name() === 'firefox') await addSoftwareDevice(page)
  else await addVirtualAuthenticator(page)
}
