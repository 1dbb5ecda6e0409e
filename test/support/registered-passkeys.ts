import { expect } from 'vitest'
import { signInBrowser } from './account-pages.ts'
import { addPasskeyDevice } from './passkey-device.ts'
import type { Person } from './people.ts'
import type { Visit } from './personas.ts'
import type { TestService } from './service.ts'

/** Runs in each page of a device. It suggests no passkeys, because pages would sign in before a button is pressed. */
const script = `(() => {
  if (!navigator.credentials) return
  PublicKeyCredential.isConditionalMediationAvailable = async () => false
  const get = navigator.credentials.get.bind(navigator.credentials)
  navigator.credentials.get = (options) =>
    window.isDeviceAway ? Promise.reject(new DOMException('', 'NotAllowedError')) : get(options)
})()`

/** Gives the persona a device with passkeys, which `bringDevice` can take away. */
export const addDevice = async ({ page }: Visit): Promise<void> => {
  await addPasskeyDevice(page)
  await page.addInitScript(script)
}

/** Whether the device is near the person. A page without it gets the error of a closed dialog. */
export const bringDevice = async ({ page }: Visit, isNear: boolean): Promise<void> => {
  await page.evaluate(`window.isDeviceAway = ${!isNear}`)
}

/** Runs in a page of the service with a session. */
const register = `(async () => {
  const post = async (path, body) => (await fetch('/api/2/users/me/passkeys' + path, {
    method: 'POST',
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })).json()
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(await post('/options'))
  const credential = (await navigator.credentials.create({ publicKey })).toJSON()
  return (await post('', { credential })).id
})()`

/** Adds a passkey of the device to the account of a person. The browser is signed out then. */
export const registerPasskey = async (service: TestService, visit: Visit, person: Person): Promise<void> => {
  const { page } = visit
  await signInBrowser(service, visit, person)
  await page.goto(service.url)
  expect(await page.evaluate(register)).toBeTypeOf('number')
  await page.context().clearCookies()
}
