import { type ApiFailure, callApi } from '../shared/call-api.ts'
import { describeUser, fetchCurrentUser, type User } from '../shared/current-user.ts'
import { createList, getElement, setVisible } from '../shared/elements.ts'
import { onSubmit } from '../shared/forms.ts'
import { replaceLinkState, watchLinkState } from '../shared/link-state.ts'
import { describeFailure } from '../shared/messages.ts'
import { connectPasswordVisibility } from '../shared/password-visibility.ts'
import { showMessage } from '../shared/show-message.ts'
import { setTitle, showStep } from '../shared/show-step.ts'
import { fetchLink, fetchOpenedLink, type Link, type OpenedLink, redeemLink } from './link-api.ts'

const title = document.title
const openedTitle = 'Link opened'
const invalidMessage = 'This link is invalid or has expired. Ask the person who sent it for a new one.'
const password = getElement('password', HTMLInputElement)
const setPasswordVisibility = connectPasswordVisibility(['password'])
let token = ''
let link: Link | undefined

const hideAll = (): void => {
  for (const id of ['open', 'next-step', 'shared-items', 'sign-out']) setVisible(id, false)
}

const showUnusableLink = (...texts: readonly string[]): void => {
  hideAll()
  showMessage('status')
  showMessage('problem', ...texts)
}

/** Offers the sign-in page, with the token in the fragment: after the sign-in, it leads back to this link. */
const offerSignIn = (message: string, label: string): void => {
  showMessage('problem', message)
  Object.assign(getElement('sign-in-link', HTMLAnchorElement), {
    textContent: label,
    href: `/#link=${token}`,
  })
  setVisible('next-step', true)
}

const showOpenedLink = (user: User, opened: OpenedLink | undefined): void => {
  hideAll()
  showMessage('problem')
  showMessage('status', `The link is open. You are signed in as ${describeUser(user)} in this browser.`)
  const objects = opened ? [...opened.shared_bundles, ...opened.shared_directories] : []
  if (objects.length > 0) {
    const heading = Object.assign(document.createElement('p'), { textContent: 'Shared with you:' })
    const names = objects.map(({ name }) => name)
    getElement('shared-items', HTMLElement).replaceChildren(heading, createList(names))
    setVisible('shared-items', true)
  }
  setVisible('sign-out', true)
}

const showSignedOut = (): void => {
  hideAll()
  showMessage('status', 'You are signed out. The shared items are no longer open in this browser.')
}

const showRefusal = async (failure: ApiFailure): Promise<void> => {
  const { code } = failure.problem
  if (failure.status === 404) return showUnusableLink(invalidMessage)
  if (code === 'not_authenticated')
    return offerSignIn(
      'This link is for one person only. Sign in first, and you will return here.',
      'Sign in',
    )
  if (failure.status !== 403 || code !== 'permission_denied')
    return showMessage('problem', ...describeFailure(failure))
  const user = await fetchCurrentUser()
  const account = user ? `You are signed in as ${describeUser(user)}. ` : ''
  const advice = 'If the link is for you, sign out and sign in with your own account.'
  offerSignIn(`This link is for someone else. ${account}${advice}`, 'Go to the sign-in page')
}

const openLink = async (): Promise<void> => {
  if (!link) return
  const { id } = link
  showMessage('problem')
  setVisible('next-step', false)
  const response = await redeemLink(token, password.value)
  if (!response.isOk) return showRefusal(response)
  replaceLinkState({ openedLinkId: id })
  showOpenedLink(response.body.user, await fetchOpenedLink(id))
  showStep(openedTitle)
}

const signOut = async (): Promise<void> => {
  const response = await callApi('POST', '/api/2/auth/logout')
  if (!response.isOk) return showMessage('problem', ...describeFailure(response))
  replaceLinkState({ isSignedOut: true })
  showSignedOut()
  showStep('Signed out')
}

const showClosedLink = (found: Link, user: User | undefined): void => {
  link = found
  setVisible('open', true)
  setVisible('password-field', found.has_password)
  setVisible('show-passwords-field', found.has_password)
  password.required = found.has_password
  const effect = 'If you open the link, this browser shows only the shared items until you sign in again.'
  const account = user ? ` You are signed in as ${describeUser(user)}.` : ''
  // Recipients who open their own link stay signed in.
  const consequence = user && user.id !== found.user.id ? ` ${effect}` : ''
  showMessage('status', `Something was shared with you.${account}${consequence}`)
}

// The link is only opened by its button, because email scanners also run scripts.
onSubmit('open', openLink)
onSubmit('sign-out', signOut)

let latestChange = 0
await watchLinkState(async ({ token: newToken = '', openedLinkId, isSignedOut }) => {
  token = newToken
  latestChange += 1
  const change = latestChange
  // While a request is running, the user may paste another link.
  const isOutdated = () => change !== latestChange
  hideAll()
  setPasswordVisibility(false)
  password.value = ''
  setTitle(title)
  showMessage('problem')
  showMessage('status', 'Checking the link…')
  if (isSignedOut) return showSignedOut()
  if (openedLinkId !== undefined) {
    const opened = await fetchOpenedLink(openedLinkId)
    if (isOutdated()) return
    if (!opened)
      return showUnusableLink('The link is no longer open in this browser. Open the original link again.')
    setTitle(openedTitle)
    return showOpenedLink(opened.user, opened)
  }
  const [response, user] = await Promise.all([fetchLink(token), fetchCurrentUser()])
  if (isOutdated()) return
  if (!token) return showUnusableLink('This link is incomplete. Open the original link again.')
  if (!response) return showUnusableLink('The service cannot be reached. Reload this page in a moment.')
  if (response.isOk) return showClosedLink(response.body, user)
  if (response.status === 404) return showUnusableLink(invalidMessage)
  showUnusableLink(...describeFailure(response).slice(0, 1))
})
