import { type ApiFailure, callApi } from '../shared/call-api.ts'
import { describeUser, fetchCurrentUser, isGuest, type User } from '../shared/current-user.ts'
import { createList, getElement, setVisible } from '../shared/elements.ts'
import { onSubmit } from '../shared/forms.ts'
import { type LinkState, replaceLinkState, watchLinkState } from '../shared/link-state.ts'
import { describeFailure } from '../shared/messages.ts'
import { openReturnUrl } from '../shared/open-return-url.ts'
import { connectPasswordVisibility } from '../shared/password-visibility.ts'
import { showMessage } from '../shared/show-message.ts'
import { setTitle, showStep } from '../shared/show-step.ts'
import { fetchLink, fetchOpenedLink, type Link, type OpenedLink, redeemLink } from './link-api.ts'

const title = document.title
const openedTitle = 'Link opened'
const invalidMessage = 'This link is invalid or has expired. Ask the person who sent it for a new one.'
const password = getElement('password', HTMLInputElement)
const setPasswordVisibility = connectPasswordVisibility(['password'])
const closedMessage = 'The link is no longer open in this browser. Open the original link again.'
let token = ''
let link: Link | undefined
/** The person who is signed in, and stays so when they open a link for someone else. */
let person: User | undefined
/** What an opened link needs to lead to its product. */
let opened: Pick<LinkState, 'sessionKey' | 'redirect'> = {}

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

const showItems = (names: readonly string[]): void => {
  if (names.length === 0) return
  const heading = Object.assign(document.createElement('p'), { textContent: 'Shared with you:' })
  getElement('shared-items', HTMLElement).replaceChildren(heading, createList(names))
  setVisible('shared-items', true)
}

const showOpenedLink = (user: User, found: OpenedLink | undefined): void => {
  hideAll()
  showMessage('problem')
  showMessage(
    'status',
    `The link is open. You are signed in as ${describeUser(person ?? user)} in this browser.`,
  )
  showItems(found ? [...found.shared_bundles, ...found.shared_directories].map(({ name }) => name) : [])
  // Someone who stays signed in as themselves signs out on the sign-in page.
  setVisible('sign-out', !person)
}

/** Shows a link that is open, and leads to its product when the button is pressed. */
const showReadyLink = (): void => {
  hideAll()
  setVisible('password-field', false)
  setVisible('show-passwords-field', false)
  setVisible('open', true)
  showMessage('status', 'The link is open.')
}

/** Leads to the product as the guest of the link. */
const enterProduct = async (redirect: string): Promise<void> => {
  showReadyLink()
  const { sessionKey } = opened
  const failure = await openReturnUrl(redirect, sessionKey === undefined ? {} : { bearer: sessionKey })
  if (failure?.status === 401) showUnusableLink(closedMessage)
  else if (failure) showMessage('problem', ...describeFailure(failure))
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
  showMessage('problem')
  if (opened.redirect !== undefined) return enterProduct(opened.redirect)
  if (!link) return
  const { id } = link
  setVisible('next-step', false)
  const response = await redeemLink(token, password.value)
  if (!response.isOk) return showRefusal(response)
  const { user, session_key: sessionKey, redirect } = response.body
  opened = { ...(person || redirect ? { sessionKey } : {}), ...(redirect ? { redirect } : {}) }
  replaceLinkState({ openedLinkId: id, ...opened })
  if (redirect) return enterProduct(redirect)
  showOpenedLink(user, await fetchOpenedLink(id, opened.sessionKey))
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
  const place = found.product === null ? '' : ` in ${found.product}`
  getElement('open-button', HTMLButtonElement).textContent = `Open${place}`
  showItems(found.shared_items)
  setVisible('open', true)
  setVisible('password-field', found.has_password)
  setVisible('show-passwords-field', found.has_password)
  password.required = found.has_password
  const account = user ? ` You are signed in as ${describeUser(user)}.` : ''
  person = user && !isGuest(user) && user.id !== found.user.id ? user : undefined
  const consequence = person ? ' You stay signed in when you open the link.' : ''
  showMessage('status', `${found.shared_by} shared something with you${place}.${account}${consequence}`)
}

// The link is only opened by its button, because email scanners also run scripts.
onSubmit('open', openLink)
onSubmit('sign-out', signOut)

let latestChange = 0
await watchLinkState(async ({ token: newToken = '', openedLinkId, isSignedOut, sessionKey, redirect }) => {
  token = newToken
  link = undefined
  opened = { ...(sessionKey ? { sessionKey } : {}), ...(redirect ? { redirect } : {}) }
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
    const [found, user] = await Promise.all([fetchOpenedLink(openedLinkId, sessionKey), fetchCurrentUser()])
    if (isOutdated()) return
    if (!found) return showUnusableLink(closedMessage)
    setTitle(openedTitle)
    if (redirect) return showReadyLink()
    person = sessionKey === undefined ? undefined : user
    return showOpenedLink(found.user, found)
  }
  const [response, user] = await Promise.all([fetchLink(token), fetchCurrentUser()])
  if (isOutdated()) return
  if (!token) return showUnusableLink('This link is incomplete. Open the original link again.')
  if (!response) return showUnusableLink('The service cannot be reached. Reload this page in a moment.')
  if (response.isOk) return showClosedLink(response.body, user)
  if (response.status === 404) return showUnusableLink(invalidMessage)
  showUnusableLink(...describeFailure(response).slice(0, 1))
})
