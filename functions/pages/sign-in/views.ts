import { describeUser, type User } from '../shared/current-user.ts'
import { getElement, setVisible } from '../shared/elements.ts'
import { supportsPasskeys } from '../shared/passkeys.ts'
import { showMessage } from '../shared/show-message.ts'
import { setTitle } from '../shared/show-step.ts'
import type { ReturnTarget } from './return-target.ts'

const title = document.title
const form = getElement('sign-in', HTMLFormElement)
const providers = getElement('providers', HTMLElement)

export const showProviders = (): void => {
  providers.hidden = form.hidden || !providers.hasChildNodes()
}

/** Shows the form, or who is signed in. */
export const showUser = (user: User | undefined): void => {
  form.hidden = user !== undefined
  setVisible('continue', false)
  setVisible('sign-out', user !== undefined)
  setVisible('account', user !== undefined && supportsPasskeys())
  showProviders()
  setTitle(user ? 'Signed in' : title)
  showMessage('status', ...(user ? [`You are signed in as ${describeUser(user)}.`] : []))
}

/** Offers to go on as the user who is signed in, or with another account. */
export const showContinue = (user: User): void => {
  showUser(user)
  setVisible('sign-out', false)
  setVisible('account', false)
  setVisible('continue', true)
}

/** Names the product that the page leads to. */
export const showTarget = ({ origin, is_external: isExternal }: ReturnTarget): void => {
  if (!isExternal) return
  const { host } = new URL(origin)
  getElement('target', HTMLElement).textContent = `Sign in to continue to ${host}.`
  setVisible('target', true)
  getElement('continue-button', HTMLButtonElement).textContent = `Continue to ${host}`
}
