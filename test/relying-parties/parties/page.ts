import { UserManager, WebStorageStateStore } from 'oidc-client-ts'

/* A page without a server of its own, as a product has it. The test presses its buttons. */

const { issuer, clientId } = Object.fromEntries(new URLSearchParams(document.body.dataset['settings']))
const manager = new UserManager({
  authority: issuer ?? '',
  client_id: clientId ?? '',
  redirect_uri: `${location.origin}/callback`,
  post_logout_redirect_uri: `${location.origin}/signed-out`,
  scope: 'openid profile offline_access',
  loadUserInfo: true,
  automaticSilentRenew: false,
  userStore: new WebStorageStateStore({ store: sessionStorage }),
})

const show = (text: string): void => {
  const output = document.createElement('output')
  output.textContent = text
  document.body.append(output)
}
const showUser = async (): Promise<void> => {
  const user = await manager.getUser()
  show(user ? `signed in as ${user.profile.preferred_username}` : 'signed out')
}
const addButton = (name: string, act: () => Promise<unknown>): void => {
  const button = document.createElement('button')
  button.textContent = name
  button.addEventListener('click', () => act().catch((error: unknown) => show(String(error))))
  document.body.append(button)
}

addButton('Sign in', () => manager.signinRedirect())
addButton('Sign in for Acme', () => manager.signinRedirect({ extraQueryParams: { organization: 'acme' } }))
addButton('Show the organization', async () =>
  show(JSON.stringify((await manager.getUser())?.profile['org_slug'])),
)
addButton('Renew', async () => {
  const before = await manager.getUser()
  const after = await manager.signinSilent()
  const isNew = after !== null && after.access_token !== before?.access_token
  show(isNew && after.refresh_token !== before?.refresh_token ? 'renewed' : 'not renewed')
})
addButton('Sign out', () => manager.signoutRedirect())

if (location.pathname === '/callback') {
  await manager.signinCallback()
  history.replaceState({}, '', '/')
}
if (location.pathname === '/signed-out') await manager.signoutCallback()
await showUser()
