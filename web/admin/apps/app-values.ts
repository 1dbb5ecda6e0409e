import type { OIDCClient, OIDCClientPartialUpdate } from '../../../lib/client/generated/models.ts'

/** An app as its form has it: lists have one entry per line, and lifetimes are texts with seconds. */
export interface AppValues {
  readonly name: string
  readonly redirect_uris: string
  readonly post_logout_redirect_uris: string
  readonly backchannel_logout_uri: string
  readonly scopes: OIDCClient['scopes']
  readonly audiences: string
  readonly permissions: string
  readonly access_token_lifetime: string
  readonly id_token_lifetime: string
  readonly refresh_token_lifetime: string
}

export const toAppValues = (app: OIDCClient): AppValues => ({
  name: app.name,
  redirect_uris: app.redirect_uris.join('\n'),
  post_logout_redirect_uris: app.post_logout_redirect_uris.join('\n'),
  backchannel_logout_uri: app.backchannel_logout_uri ?? '',
  scopes: app.scopes,
  audiences: app.audiences.join('\n'),
  permissions: app.permissions.join('\n'),
  access_token_lifetime: String(app.access_token_lifetime),
  id_token_lifetime: String(app.id_token_lifetime),
  refresh_token_lifetime: String(app.refresh_token_lifetime),
})

/** The request body of these changes. */
export const toAppChanges = (changes: Partial<AppValues>): OIDCClientPartialUpdate => {
  const {
    name,
    scopes,
    redirect_uris: redirects,
    post_logout_redirect_uris: afterSignOut,
    backchannel_logout_uri: backchannel,
    audiences,
    permissions,
    access_token_lifetime: access,
    id_token_lifetime: identity,
    refresh_token_lifetime: refresh,
  } = changes
  return {
    ...(name === undefined ? {} : { name: name.trim() }),
    ...(scopes === undefined ? {} : { scopes }),
    ...(redirects === undefined ? {} : { redirect_uris: toLines(redirects) }),
    ...(afterSignOut === undefined ? {} : { post_logout_redirect_uris: toLines(afterSignOut) }),
    ...(backchannel === undefined ? {} : { backchannel_logout_uri: backchannel.trim() || null }),
    ...(audiences === undefined ? {} : { audiences: toLines(audiences) }),
    ...(permissions === undefined ? {} : { permissions: toLines(permissions) }),
    ...(access === undefined ? {} : { access_token_lifetime: Number(access) }),
    ...(identity === undefined ? {} : { id_token_lifetime: Number(identity) }),
    ...(refresh === undefined ? {} : { refresh_token_lifetime: Number(refresh) }),
  }
}

export const toLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
